/** Laws of the merge, on modules, classes and objects that are made at random. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findFormat } from '../formats/formats.ts'
import type { MergeLines } from './merge.ts'
import { mergeTexts } from './merge-texts.ts'

/** What each side does to one member. No two of them touch one member. */
type Edit = 'none' | 'change' | 'remove' | 'addBehind'
type Plan = readonly { readonly ours: Edit; readonly theirs: Edit }[]

/** Shapes of containers: how a member is written, and what is around all of them. */
type Shape = {
  readonly name: string
  readonly wrap: (members: readonly string[]) => string
  readonly member: (name: string, value: number) => string
}

const SHAPES: readonly Shape[] = [
  {
    name: 'a.ts',
    wrap: (members) => members.join('\n'),
    member: (name, value) => `function ${name}() {\n  return ${value}\n}\n`,
  },
  {
    name: 'b.ts',
    wrap: (members) => `export class Held {\n${members.join('\n')}}\n`,
    member: (name, value) => `  /** ${name}. */\n  ${name}() {\n    return ${value}\n  }\n`,
  },
  {
    name: 'c.ts',
    wrap: (members) => `class Held {\r\n${members.join('')}}`,
    member: (name, value) => `  ${name}() { return ${value} }\r\n`,
  },
  {
    name: 'a.json',
    wrap: (members) => `{\n${members.join(',\n')}\n}\n`,
    member: (name, value) => `  "${name}": { "x": ${value} }`,
  },
  {
    name: 'b.json',
    wrap: (members) => `{${members.join(', ')}}`,
    member: (name, value) => `"${name}": ${value}`,
  },
  {
    name: 'a.yml',
    wrap: (members) => `held:\n${members.join('')}`,
    member: (name, value) => `  ${name}:\n    x: ${value}\n`,
  },
]

type Sides = {
  readonly hasOurs: boolean
  readonly hasTheirs: boolean
  /** Places at which what theirs adds comes first. */
  readonly turned?: number
}

function render({ wrap, member }: Shape, plan: Plan, sides: Sides): string {
  const { hasOurs, hasTheirs, turned = 0 } = sides
  const members = plan.flatMap((edits, at) => {
    const [mine, yours] = [hasOurs ? edits.ours : 'none', hasTheirs ? edits.theirs : 'none']
    const isGone = mine === 'remove' || yours === 'remove'
    const value = mine === 'change' ? 1 : yours === 'change' ? 2 : 0
    const added = [
      ...(mine === 'addBehind' ? [member(`mine${at}`, 3)] : []),
      ...(yours === 'addBehind' ? [member(`yours${at}`, 4)] : []),
    ]
    if ((turned >> at) & 1) added.reverse()
    return [...(isGone ? [] : [member(`kept${at}`, value)]), ...added]
  })
  return wrap(members)
}

const edit = fc.constantFrom<Edit>('none', 'none', 'change', 'remove', 'addBehind')
const place = fc.tuple(edit, edit).map(([ours, theirs]) => {
  // Both may put in something behind one member; otherwise a member is of one side.
  const isBoth = ours === 'addBehind' && theirs === 'addBehind'
  return { ours, theirs: isBoth || ours === 'none' ? theirs : ('none' as const) }
})

/** The first stays: a container without members is another text. */
const plans = fc
  .array(place, { minLength: 1, maxLength: 6 })
  .map((plan): Plan => [{ ours: 'none', theirs: 'none' }, ...plan])

const refuseLines: MergeLines = () => {
  throw new Error('no line of these is for git')
}

for (const shape of SHAPES)
  test(`changes to different members are all there, and nothing else: ${shape.name}`, () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const base = render(shape, plan, { hasOurs: false, hasTheirs: false })
        const ours = render(shape, plan, { hasOurs: true, hasTheirs: false })
        const theirs = render(shape, plan, { hasOurs: false, hasTheirs: true })
        // Beside a removal the order of two additions is another than by name; it is one order, whoever is ours.
        const all = Array.from({ length: 2 ** plan.length }, (_, turned) =>
          render(shape, plan, { hasOurs: true, hasTheirs: true, turned }),
        )
        const tools = { mergeLines: refuseLines }
        const one = mergeTexts({ base, ours, theirs }, findFormat(shape.name), tools)
        assert.deepEqual(one.conflicts, [])
        assert.ok(all.includes(one.text), one.text)
        if (!plan.some(({ ours, theirs }) => ours === 'remove' || theirs === 'remove'))
          assert.equal(one.text, all[0])
        const other = mergeTexts(
          { base, ours: theirs, theirs: ours },
          findFormat(shape.name),
          tools,
        )
        assert.equal(other.text, one.text)
      }),
      { numRuns: 150, seed: 20 },
    )
  })
