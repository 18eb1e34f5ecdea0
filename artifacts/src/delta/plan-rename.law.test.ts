/** R1, by running programs: what a program says before a rename it says afterwards. Nobody here knows how names are looked up but the engine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { findFormat } from '../formats/formats.ts'
import { planDelta } from './plan-delta.ts'

const RUNS = 500
const NAME = fc.constantFrom('a', 'b', 'c')

const { program } = fc.letrec<{ readonly statement: string; readonly program: string }>((tie) => {
  const body = fc.array(tie('statement'), { maxLength: 4, depthIdentifier: 'body' }).map(join)
  return {
    program: fc.array(tie('statement'), { minLength: 2, maxLength: 6 }).map(join),
    statement: fc.oneof(
      { depthSize: 'small', depthIdentifier: 'body' },
      fc.tuple(NAME, fc.nat(9)).map(([name, n]) => `var ${name} = ${n};`),
      fc.tuple(NAME, fc.nat(9)).map(([name, n]) => `let ${name} = ${n};`),
      NAME.map((name) => `say(typeof ${name}, () => ${name});`),
      NAME.map((name) => `say('p', () => ({ ${name}, x: 1 }).${name});`),
      fc
        .tuple(NAME, NAME)
        .map(([one, other]) => `say('q', () => { ({ ${one} = 7 } = ${other}) });`),
      fc.tuple(NAME, body).map(([name, inner]) => `function ${name}(x) { ${inner} }`),
      fc.tuple(NAME, NAME, body).map(([n, v, b]) => `((${n}, x = ${v}) => { say(x); ${b} })(3);`),
      fc.tuple(NAME, body).map(([name, inner]) => `(function ${name}() { ${inner} })();`),
      fc.tuple(NAME, body).map(([name, inner]) => `try { throw 5 } catch (${name}) { ${inner} }`),
      fc.tuple(NAME, NAME).map(([n, v]) => `say('r', () => new (class ${n} { y = ${v} })().y);`),
      fc
        .tuple(NAME, NAME)
        .map(([n, v]) => `${n}: for (const ${v} of [4]) { say(${v}); break ${n} }`),
      body.map((inner) => `{ ${inner} }`),
    ),
  }
})

function join(statements: readonly string[]): string {
  return statements.join('\n')
}

/** A function is written by its text, which a rename changes. */
function show(value: unknown): string {
  return typeof value === 'function' ? 'function' : String(JSON.stringify(value))
}

/** Null: it is no program. */
function run(text: string): readonly string[] | null {
  const said: string[] = []
  const say = (word: unknown, get?: () => unknown): void => {
    let value: unknown = ''
    try {
      value = get?.()
    } catch (error) {
      value = error instanceof Error ? error.name : 'error'
    }
    said.push(`${show(word)} ${show(value)}`)
  }
  let main: (say: unknown) => void
  try {
    main = new Script(`(say) => {'use strict';${text}\n}`).runInThisContext()
  } catch {
    return null
  }
  try {
    main(say)
  } catch (error) {
    said.push(error instanceof Error ? error.name : 'error')
  }
  return said
}

test('R1 a program says after a rename what it said before, or the rename is refused', () => {
  const format = findFormat('a.mjs')
  assert.ok(format !== undefined)
  const seen = { done: 0, refused: 0 }
  fc.assert(
    fc.property(program, fc.constantFrom('a', 'b', 'd'), (source, name) => {
      // As a module is: strict, so that what is declared in a block stays there.
      const text = `export {}\n${source}`
      const before = run(source)
      const parsed = format.parse(text)
      if (before === null || !parsed.ok) return
      for (const symbol of parsed.value.symbols) {
        if (symbol.nameSpan === null || symbol.name === name) continue
        const delta = { op: 'rename', target: symbol.path, name } as const
        const planned = planDelta(parsed.value, delta, format)
        seen[planned.ok ? 'done' : 'refused'] += 1
        if (planned.ok) {
          const after = run(planned.value.after.text.slice('export {}\n'.length))
          assert.deepEqual(after, before, planned.value.after.text)
        }
      }
    }),
    { numRuns: RUNS, seed: 112 },
  )
  assert.ok(seen.done > 100 && seen.refused > 100, JSON.stringify(seen))
})
