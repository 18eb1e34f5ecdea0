/** Who judges our edits, and who does the same ones beside us. */
import type { ArtifactFile, CorpusFormat } from './artifact-corpus.ts'
import type { EditOutcome } from './edit-figures.ts'
import { openPeer, type PeerPort } from './peer-process.ts'
import { countOtherLines } from './touched-lines.ts'
import type { TriedEdit } from './try-file.ts'

export type JudgedEdit = {
  /** Whether what we made of it is read by TypeScript's parser, or has the value, or the headings, that the edit says; null: we made nothing. */
  readonly isRead: boolean | null
  readonly detail?: string
  /** Of a rename: the text that the language service makes of it; null: it would not rename it. */
  readonly expected?: string | null
  /** Where it would write the new name. */
  readonly sites?: readonly number[]
}

export type JudgedFile = {
  /** What is wrong with the file as it came; null: nothing. */
  readonly mistake: string | null
  readonly edits: readonly JudgedEdit[]
}

type MadeEdit = { readonly text: string } | { readonly error: string }

export const PEER_NAMES = ['ts_morph', 'recast', 'yaml', 'remark'] as const
export type PeerName = (typeof PEER_NAMES)[number]

const SCRIPTS: Readonly<Record<PeerName, string>> = {
  ts_morph: '../../artifacts-peers/ts-morph.ts',
  recast: '../../artifacts-peers/recast.ts',
  yaml: '../../artifacts-peers/yaml.ts',
  remark: '../../artifacts-peers/remark.ts',
}

const PEERS_OF: Readonly<Record<CorpusFormat, readonly PeerName[]>> = {
  typescript: ['ts_morph', 'recast'],
  json: [],
  yaml: ['yaml'],
  markdown: ['remark'],
}

export type PeerOutcomes = { readonly name: PeerName; readonly outcomes: readonly EditOutcome[] }

export interface BenchPeers {
  /** Null: nobody judges. */
  judge(file: ArtifactFile, edits: readonly TriedEdit[]): Promise<JudgedFile | null>
  compare(
    file: ArtifactFile,
    edits: readonly TriedEdit[],
    judged: JudgedFile | null,
  ): Promise<readonly PeerOutcomes[]>
  /** Why somebody has no figures; null: it has. */
  findMissing(name: PeerName | 'judge'): string | null
  close(): void
}

export function openBenchPeers(isCompared: boolean): BenchPeers {
  const judge = openPeer<JudgedEdit>('../../artifacts-peers/judge.ts')
  const ports = new Map<PeerName, PeerPort<MadeEdit>>()
  if (isCompared) {
    for (const name of PEER_NAMES) ports.set(name, openPeer(SCRIPTS[name]))
  }
  return {
    judge: (file, edits) => askJudge(judge, file, edits),
    compare: async (file, edits, judged) => {
      const named = PEERS_OF[file.kind].flatMap((name) => {
        const port = ports.get(name)
        return port === undefined ? [] : [{ name, port }]
      })
      return Promise.all(
        named.map(async ({ name, port }) => ({
          name,
          outcomes: await askPeer(port, file, edits, judged),
        })),
      )
    },
    findMissing: (name) =>
      name === 'judge'
        ? judge.missing
        : (ports.get(name)?.missing ?? (isCompared ? null : 'left out')),
    close: () => {
      judge.close()
      for (const port of ports.values()) port.close()
    },
  }
}

async function askJudge(
  judge: PeerPort<JudgedEdit>,
  { name, text }: ArtifactFile,
  edits: readonly TriedEdit[],
): Promise<JudgedFile | null> {
  const asked = edits.map(({ placed, after }) => ({ ...placed, after }))
  const answer = await judge.ask({ name, text, edits: asked })
  return answer === null ? null : { mistake: answer.mistake ?? null, edits: answer.results }
}

/** Its lines are counted as ours are. */
async function askPeer(
  port: PeerPort<MadeEdit>,
  { name, text }: ArtifactFile,
  edits: readonly TriedEdit[],
  judged: JudgedFile | null,
): Promise<readonly EditOutcome[]> {
  const asked = edits.map(({ placed }, i) => {
    const sites = judged?.edits[i]?.sites
    return sites === undefined ? placed : { ...placed, sites }
  })
  const answer = await port.ask({ name, text, edits: asked })
  if (answer === null) return []
  return edits.map(({ op, permitted, placed }, i): EditOutcome => {
    const made = answer.results[i] ?? { error: 'no answer' }
    const place = `${name} ${placed.kind} at ${placed.own[0]}`
    if ('error' in made) return { op, place, reason: made.error }
    if (made.text === text) return { op, place, reason: 'nothing changed' }
    return { op, place, other: countOtherLines(text, made.text, permitted) }
  })
}
