/**
 * Where each trajectory ends, and which World it has by then: what new entries follow, and what deltas are
 * folded into. Both are said by its last entries.
 */
import { AUTHORITY, type BranchPayload, type CommitPayload, ERASURE, MAIN } from 'rubicon-kernel'
import type { StoredEntry, TrajectoryHead } from '../../../ports/store.ts'
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Deps } from '../../deps.ts'
import { TreeCheck } from '../../rows/tree-check.ts'

type Needed = Pick<Deps, 'store' | 'sha256'>

/** How many entries are looked at together for the last that changed the World. */
const PAGE = 64
const EMPTY_WORLD = '0'.repeat(64)

/** Throws a `StoreDiverged` where authority goes further than its entries: nobody could fold it. */
export async function checkAuthorityEnd({ store }: Needed): Promise<void> {
  const head = (await store.listHeads()).find(({ trajectory }) => trajectory === AUTHORITY)
  const entries = head === undefined ? [] : await store.listEntries(AUTHORITY, head.seq, 1)
  if (head !== undefined && entries.length === 0)
    throw new StoreDiverged(`trajectory \`${AUTHORITY}\``, `it has no entry ${head.seq}`)
}

/** Throws a `StoreDiverged` at the first that does not end as its entries do, or has no end. */
export async function checkTrajectories(deps: Needed): Promise<void> {
  const heads = await deps.store.listHeads()
  for (const name of [MAIN, ERASURE]) {
    if (heads.some(({ trajectory }) => trajectory === name)) continue
    if ((await deps.store.listEntries(name, 0, 1)).length > 0)
      throw new StoreDiverged(`trajectory \`${name}\``, 'its last entry is missing')
  }
  for (const head of heads) {
    const problem = await findHeadProblem(deps, head)
    if (problem !== null) throw new StoreDiverged(`trajectory \`${head.trajectory}\``, problem)
  }
}

async function findHeadProblem(deps: Needed, head: TrajectoryHead): Promise<string | null> {
  const { store, sha256 } = deps
  const [last, next] = await store.listEntries(head.trajectory, head.seq, 2)
  if (last === undefined) return `it has no entry ${head.seq}`
  await new TreeCheck(store, sha256).check([last])
  const { seq, at } = last.envelope
  if (seq !== head.seq || last.id !== head.id) return 'it ends with another entry'
  // Time goes on from there.
  if (at !== head.at) return `its last entry is of ${at}, and not of ${head.at}`
  if (next !== undefined && (await isStill(deps, head))) return 'it has entries after its last one'
  const root = await readWorldRoot(deps, head)
  return root === null || root === head.world_root ? null : 'its World has another root'
}

/** Another process may have written meanwhile; then it ends further on by now. */
async function isStill({ store }: Needed, { trajectory, seq }: TrajectoryHead): Promise<boolean> {
  return (await store.listHeads()).some(
    (head) => head.trajectory === trajectory && head.seq === seq,
  )
}

/** As of its last commit, or as it began. Null: what said so was erased. */
async function readWorldRoot(
  { store, sha256 }: Needed,
  { trajectory, seq }: TrajectoryHead,
): Promise<string | null> {
  if (trajectory === AUTHORITY || trajectory === ERASURE) return EMPTY_WORLD
  const check = new TreeCheck(store, sha256)
  for (let to = seq + 1; to > 0; to -= PAGE) {
    const from = Math.max(0, to - PAGE)
    const page = await store.listEntries(trajectory, from, to - from)
    const gap = page.findIndex(({ envelope }, i) => envelope.seq !== from + i)
    if (gap >= 0)
      throw new StoreDiverged(`trajectory \`${trajectory}\``, `it has no entry ${from + gap}`)
    const at = page.findLastIndex(({ envelope }) => envelope.kind === 'commit')
    // Those behind it too: a commit that is said to be something else would be passed over.
    await check.check(page.slice(Math.max(0, at)))
    const last = page[at]
    if (last !== undefined) return parseEntryPayload<CommitPayload>(last)?.world_after ?? null
  }
  const [first] = await store.listEntries(trajectory, 0, 1)
  if (first?.envelope.kind !== 'branch') return EMPTY_WORLD
  await check.check([first])
  return parseEntryPayload<BranchPayload>(first)?.world_after ?? null
}

function parseEntryPayload<T>({ payload }: StoredEntry): T | null {
  return payload === null ? null : (JSON.parse(payload) as T)
}
