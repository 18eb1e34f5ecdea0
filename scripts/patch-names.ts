/**
 * `node scripts/patch-names.ts [--json]`: every planted mistake, applied to a copy of the sources, calls only what
 * is there.
 *
 * A patch is text, and a rename does not reach it. One that calls what is gone breaks the program down instead of
 * making its mistake, and every test is red for the wrong reason. Patches that touch different files are tried
 * together: a build takes longer than anything else.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { PATCHES } from '../sim/src/patches/all.ts'
import { applyEdit, type Patch } from '../sim/src/patches/patch.ts'
import { hasPath, ROOT, run, say } from './shell.ts'

/** A name that is nowhere, and a member that a type has not. */
const UNKNOWN = /^(\S+)\((\d+),(\d+)\): error TS(?:2304|2552|2339|2551): (.*)$/
const MEMBER = /^Property/

export type UnknownCall = { readonly patches: readonly string[]; readonly problem: string }

export function findUnknownCalls(tell: (line: string) => void): readonly UnknownCall[] {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-patches-'))
  try {
    copySources(folder)
    const found: UnknownCall[] = []
    for (let left: readonly Patch[] = PATCHES; left.length > 0; ) {
      const together = selectApart(left)
      tell(`${left.length} patches left, ${together.length} at once`)
      found.push(...tryTogether(folder, together))
      left = left.filter((patch) => !together.includes(patch))
    }
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function listTracked(): readonly string[] {
  return run('git', ['ls-files']).stdout.split('\n').filter(hasPath)
}

function copySources(folder: string): void {
  for (const file of listTracked().filter((name) => /\.(ts|tsx|json)$/.test(name))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

/** As many as touch no file of each other. */
function selectApart(patches: readonly Patch[]): readonly Patch[] {
  const taken = new Set<string>()
  return patches.filter(({ edits }) => {
    if (edits.some(({ file }) => taken.has(file))) return false
    for (const { file } of edits) taken.add(file)
    return true
  })
}

function tryTogether(folder: string, patches: readonly Patch[]): readonly UnknownCall[] {
  const texts = new Map<string, string>()
  for (const { edits } of patches)
    for (const edit of edits) {
      const source = texts.get(edit.file) ?? readFileSync(join(ROOT, edit.file), 'utf8')
      texts.set(edit.file, applyEdit(source, edit))
    }
  for (const [file, text] of texts) writeFileSync(join(folder, file), text)
  const { stdout } = run('tsc', ['-b', '--pretty', 'false'], { cwd: folder })
  for (const file of texts.keys()) copyFileSync(join(ROOT, file), join(folder, file))
  return stdout.split('\n').flatMap((line) => {
    const [, file = '', row = '', column = '', problem = ''] = UNKNOWN.exec(line) ?? []
    const text = texts.get(file)
    if (text === undefined || !isFatal(text, Number(row), Number(column), problem)) return []
    const by = patches.filter(({ edits }) => edits.some((edit) => edit.file === file))
    return [{ patches: by.map(({ name }) => name), problem: `${file}:${row} ${problem}` }]
  })
}

/** Whoever reads a member that is not there gets nothing, which may be the mistake; whoever calls it ends. */
function isFatal(text: string, row: number, column: number, problem: string): boolean {
  if (!MEMBER.test(problem)) return true
  const line = text.split('\n')[row - 1] ?? ''
  return /^[\w$]+\(/.test(line.slice(column - 1))
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const unknown = findUnknownCalls((line) => void process.stderr.write(`${line}\n`))
  if (values.json)
    say(JSON.stringify({ patches: PATCHES.length, unknown, ok: unknown.length === 0 }))
  else for (const { patches, problem } of unknown) say(`${patches.join(', ')}: ${problem}`)
  process.exitCode = unknown.length === 0 ? 0 : 4
}
