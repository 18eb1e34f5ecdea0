/** One write that does everything: it replaces, makes (in a new folder too) and removes. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from 'rubicon-kernel'
import { computeContentHash } from '../store/content-hash.ts'
import type { FileChange } from './file-change.ts'
import type { WriteRecord } from './files-session.ts'
import { makeFolder } from './temporary-folder.test-support.ts'

export const OLD = {
  'a.ts': 'const a = 1\n',
  'src/b.ts': 'const b = 1\n',
  'src/gone.ts': 'const gone = 1\n',
  'stays.md': '# stays\n',
} as const

export const NEW = {
  'a.ts': 'const a = 2\n',
  'made/deep/c.ts': 'const c = 2\n',
  'src/b.ts': 'const b = 2\n',
  'stays.md': '# stays\n',
} as const

export const NOTE = { event: 'one' }

export function makeOldFolder(): string {
  const folder = makeFolder(OLD)
  chmodSync(join(folder, 'a.ts'), 0o755)
  return folder
}

export const CHANGES: readonly FileChange[] = [
  change('a.ts', OLD['a.ts'], NEW['a.ts']),
  change('src/b.ts', OLD['src/b.ts'], NEW['src/b.ts']),
  change('made/deep/c.ts', null, NEW['made/deep/c.ts']),
  change('src/gone.ts', OLD['src/gone.ts'], null),
]

/** Of these a process of its own does one that is there and one that is not. */
export const FEW: readonly FileChange[] = CHANGES.slice(1, 3)

function change(id: string, before: string | null, after: string | null): FileChange {
  return {
    id,
    before: before === null ? null : computeContentHash(Buffer.from(before)),
    bytes: after === null ? null : Buffer.from(after),
  }
}

/** What a process has recorded outlives it. */
export function memoryRecord(): WriteRecord & { readonly notes: readonly JsonValue[] } {
  const notes: JsonValue[] = []
  const has = (note: JsonValue): boolean =>
    notes.some((one) => JSON.stringify(one) === JSON.stringify(note))
  return {
    notes,
    has,
    add: (note) => {
      if (!has(note)) notes.push(note)
    },
  }
}
