/** What the ledger names of artifacts by hash, in `main` as it stands, and the files of a folder held against it. */
import { openFilesRoot, readArtifact } from 'rubicon-artifacts/files'
import { encodeHex, hashResourceKey, isObject, type JsonObject, MAIN } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import type { CommandCall } from './call.ts'
import { escapeText } from './escape-text.ts'
import { SYMBOLS } from './output.ts'

export type KnownContents = {
  /** What the files are. */
  readonly files: readonly NamedContent[]
  /** Without which nothing is planned, applied or undone: last changes and open plans. */
  readonly records: readonly NamedContent[]
  /** The tree of all names. */
  readonly root: unknown
}

export type NamedContent = { readonly name: string; readonly hash: unknown }

type WorldStore = Pick<Runtime['store'], 'listWorld'>
type Hashing = Parameters<typeof hashResourceKey>[2]

/** Files that are read, and resources that are looked at to find them. */
const READ = 256
const LOOKED_AT = 20_000
const PAGE = 1_000
const SHOWN = 3

export async function listKnownContents(
  store: WorldStore,
  sha256: Hashing,
): Promise<KnownContents> {
  const files: NamedContent[] = []
  const records: NamedContent[] = []
  let root: unknown = null
  let after: string | null = null
  for (let seen = 0; seen < LOOKED_AT; seen += PAGE) {
    const page: Awaited<ReturnType<WorldStore['listWorld']>> = await store.listWorld(
      MAIN,
      after,
      PAGE,
    )
    for (const { kind, id, value, retracted } of page) {
      if (retracted || !isObject(value)) continue
      if (kind === 'artifact') files.push({ name: id, hash: value.content_hash })
      if (kind === 'artifact_root') root = value.root
      records.push(...listRecords(kind, id, value))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = encodeHex(hashResourceKey(last.kind, last.id, sha256))
  }
  return { files, records, root }
}

function listRecords(kind: string, id: string, value: JsonObject): readonly NamedContent[] {
  if (kind === 'artifact') return [{ name: `the last change of ${id}`, hash: value.change }]
  return kind === 'artifact_plan' ? [{ name: `the plan ${id}`, hash: id }] : []
}

/** Those of the first ones that are not there, or are others than the ledger says. */
export function listOtherFiles(
  folder: string,
  known: readonly NamedContent[],
): { readonly read: number; readonly others: readonly string[] } {
  const looked = known.slice(0, READ)
  const root = openFilesRoot(folder)
  const others = looked.filter(({ name, hash }) => {
    const read = root.ok ? readArtifact(root.value, name) : root
    return !read.ok || read.value.hash !== hash
  })
  return { read: looked.length, others: others.map(({ name }) => name) }
}

export function formatOtherFiles(folder: string, read: number, others: readonly string[]): string {
  const shown = others.slice(0, SHOWN).join(', ')
  const rest = others.length > SHOWN ? ', …' : ''
  return `${others.length} of ${read} files in ${folder} are not there, or not as the ledger has them: ${shown}${rest}`
}

export const OTHER_FILES_FIX =
  'name the folder that this ledger is about; if it is this one, have the files adopted (`artifact.adopt`)'

/** Of another folder, or of one that was changed meanwhile: agents plan on what the ledger has, and what they apply is refused. */
export async function warnOfOtherFiles(
  out: Pick<CommandCall['out'], 'note'>,
  { store, engine }: Runtime,
  folder: string | undefined,
): Promise<void> {
  if (folder === undefined) return
  const { files } = await listKnownContents(store, engine.context.sha256)
  const { read, others } = listOtherFiles(folder, files)
  if (others.length === 0) return
  out.note(`${SYMBOLS.waiting} ${escapeText(formatOtherFiles(folder, read, others))}`)
  out.note(`  fix  ${OTHER_FILES_FIX}`)
}
