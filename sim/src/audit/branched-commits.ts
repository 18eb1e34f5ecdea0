/** What was committed in each trajectory, and in those that it branched from before it did. */
import type { BranchPayload, CommitPayload } from 'rubicon-kernel'
import type { Line } from './report.ts'

type Commit = { readonly seq: number; readonly payload: CommitPayload }

export class BranchedCommits {
  readonly #commits = new Map<string, Commit[]>()
  readonly #sources = new Map<string, BranchPayload['source']>()

  add({
    trajectory,
    seq,
    kind,
    payload,
  }: Pick<Line, 'trajectory' | 'seq' | 'kind' | 'payload'>): void {
    if (kind === 'branch') this.#sources.set(trajectory, (payload as BranchPayload).source)
    if (kind !== 'commit') return
    const commits = this.#commits.get(trajectory) ?? []
    commits.push({ seq, payload: payload as CommitPayload })
    this.#commits.set(trajectory, commits)
  }

  /** From the first on, up to an entry. */
  listUpTo(trajectory: string, seq: number): readonly CommitPayload[] {
    const own = (this.#commits.get(trajectory) ?? []).filter((commit) => commit.seq <= seq)
    return [...this.listBefore(trajectory), ...own.map(({ payload }) => payload)]
  }

  /** Before it branched off. */
  listBefore(trajectory: string): readonly CommitPayload[] {
    const source = this.#sources.get(trajectory)
    return source === undefined ? [] : this.listUpTo(source.trajectory, source.seq)
  }
}
