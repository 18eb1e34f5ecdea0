/** Everything that the bench counts, and its report. */
import { type ArtifactFile, CORPUS_FORMATS, type CorpusFormat } from './artifact-corpus.ts'
import {
  type BenchPeers,
  type JudgedEdit,
  type JudgedFile,
  PEER_NAMES,
  type PeerName,
} from './bench-peers.ts'
import {
  addUp,
  countFile,
  countReason,
  createEditFigures,
  type EditFigures,
  type EditOutcome,
  type EditTotals,
  recordFirst,
} from './edit-figures.ts'
import type { TriedEdit, TriedFile } from './try-file.ts'

export type FormatFigures = {
  files: number
  /** Its parser does not take it, by reason. */
  readonly unread: Record<string, number>
  tiled: number
  readonly untiled: string[]
  readonly edits: EditFigures
}

export type RenameFigures = {
  /** Renames that the language service does as well. */
  compared: number
  exact: number
  different: number
  /** We did it, and the language service would not. */
  only_ours: number
  /** The language service would have done it, and we refused. */
  only_theirs: number
  readonly first_different: string[]
}

export type JudgeFigures = {
  judged: number
  read: number
  broken: number
  /** Files with a mistake before anybody touched them, by what it is: their edits are not judged. */
  readonly mistaken_files: Record<string, number>
  readonly first_broken: string[]
}

export type PeerReport = {
  readonly missing: string | null
  readonly totals: EditTotals
} & EditFigures

export type ArtifactsReport = {
  readonly files: number
  readonly tiled: number
  readonly edits: EditTotals & {
    readonly files: number
    readonly files_with_other_lines: number
    /** Edits whose inverse does not give back the text before. */
    readonly not_restored: number
  }
  readonly judge: JudgeFigures & { readonly missing: string | null }
  readonly rename: RenameFigures
  readonly peers: Readonly<Record<PeerName, PeerReport>>
  readonly formats: Readonly<Record<CorpusFormat, FormatFigures>>
  readonly skipped: Readonly<Record<string, number>>
  readonly packages: number
  readonly missing_packages: readonly string[]
  readonly seed: number
  readonly ok: boolean
}

export class BenchFigures {
  packages = 0
  readonly missing_packages: string[] = []
  readonly #seed: number
  readonly #skipped: Record<string, number> = {}
  readonly #formats = createFormats()
  readonly #peers = Object.fromEntries(
    PEER_NAMES.map((name) => [name, createEditFigures()]),
  ) as Record<PeerName, EditFigures>
  readonly #judge: JudgeFigures = {
    ...{ judged: 0, read: 0, broken: 0, mistaken_files: {}, first_broken: [] },
  }
  readonly #rename: RenameFigures = {
    ...{ compared: 0, exact: 0, different: 0, only_ours: 0, only_theirs: 0, first_different: [] },
  }
  #notRestored = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  countSkipped(reason: string): void {
    countReason(this.#skipped, reason)
  }

  countUnread({ kind }: ArtifactFile, reason: string): void {
    this.#formats[kind].files += 1
    countReason(this.#formats[kind].unread, reason)
  }

  countOurs(
    { name, kind }: ArtifactFile,
    tried: Exclude<TriedFile, { readonly unread: string }>,
    judged: JudgedFile | null,
  ): void {
    const format = this.#formats[kind]
    format.files += 1
    if (tried.isTiled) format.tiled += 1
    else recordFirst(format.untiled, name)
    countFile(
      format.edits,
      tried.edits.map((edit) => toOutcome(name, edit)),
    )
    for (const edit of tried.edits)
      if (edit.after !== null && !edit.isRestored) this.#notRestored += 1
    if (judged === null) return
    if (judged.mistake !== null) countReason(this.#judge.mistaken_files, judged.mistake)
    else
      for (const [i, edit] of tried.edits.entries())
        this.#countJudged(`${name} ${edit.op} ${describeTarget(edit)}`, edit, judged.edits[i])
  }

  countPeer(name: PeerName, outcomes: readonly EditOutcome[]): void {
    countFile(this.#peers[name], outcomes)
  }

  report(peers: BenchPeers): ArtifactsReport {
    const all = CORPUS_FORMATS.map((name) => this.#formats[name])
    const add = (of: (format: FormatFigures) => number): number =>
      all.reduce((sum, one) => sum + of(one), 0)
    const totals = all.map(({ edits }) => addUp(edits))
    const sum = (of: (one: EditTotals) => number): number =>
      totals.reduce((total, one) => total + of(one), 0)
    const edits = {
      tried: sum(({ tried }) => tried),
      applied: sum(({ applied }) => applied),
      other_lines: sum(({ other_lines }) => other_lines),
      lines: sum(({ lines }) => lines),
      files: add((one) => one.edits.files),
      files_with_other_lines: add((one) => one.edits.files_with_other_lines),
      not_restored: this.#notRestored,
    }
    const judge = { ...this.#judge, missing: peers.findMissing('judge') }
    const untiled = add(({ files, tiled, unread }) => files - tiled - countAll(unread))
    return {
      ...{ files: add(({ files }) => files), tiled: add(({ tiled }) => tiled), edits, judge },
      rename: this.#rename,
      peers: this.#reportPeers(peers),
      formats: this.#formats,
      skipped: this.#skipped,
      ...{ packages: this.packages, missing_packages: this.missing_packages, seed: this.#seed },
      ok:
        edits.applied > 0 &&
        edits.other_lines + edits.not_restored + untiled + judge.broken === 0 &&
        judge.missing === null &&
        this.#rename.different + this.#rename.only_ours === 0,
    }
  }

  #reportPeers(peers: BenchPeers): ArtifactsReport['peers'] {
    const reports = PEER_NAMES.map((name) => {
      const figures = this.#peers[name]
      return [name, { missing: peers.findMissing(name), totals: addUp(figures), ...figures }]
    })
    return Object.fromEntries(reports) as ArtifactsReport['peers']
  }

  #countJudged(place: string, edit: TriedEdit, judged: JudgedEdit | undefined): void {
    if (judged === undefined) return
    if (edit.after !== null && judged.isRead !== null) {
      this.#judge.judged += 1
      if (judged.isRead) this.#judge.read += 1
      else {
        this.#judge.broken += 1
        recordFirst(this.#judge.first_broken, `${place}: ${judged.detail ?? ''}`)
      }
    }
    if (edit.op === 'rename') this.#countRename(place, edit.after, judged.expected ?? null)
  }

  #countRename(place: string, ours: string | null, theirs: string | null): void {
    const rename = this.#rename
    if (ours === null && theirs !== null) rename.only_theirs += 1
    if (ours === null) return
    if (theirs === null) rename.only_ours += 1
    else {
      rename.compared += 1
      if (ours === theirs) rename.exact += 1
      else rename.different += 1
    }
    if (ours !== theirs) recordFirst(rename.first_different, place)
  }
}

function createFormats(): Readonly<Record<CorpusFormat, FormatFigures>> {
  const create = (): FormatFigures => ({
    ...{ files: 0, tiled: 0, unread: {}, untiled: [] },
    edits: createEditFigures(),
  })
  return { typescript: create(), json: create(), yaml: create(), markdown: create() }
}

function toOutcome(name: string, edit: TriedEdit): EditOutcome {
  const place = `${name} ${describeTarget(edit)}`
  return edit.after === null
    ? { op: edit.op, place, reason: edit.reason }
    : { op: edit.op, place, other: edit.other }
}

function describeTarget({ delta }: TriedEdit): string {
  return 'target' in delta && delta.target !== '' ? `\`${delta.target}\`` : 'at the root'
}

function countAll(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0)
}
