/** What is refused to whoever reads artifacts. None of it has a path of the machine. */
import type { DeskCode, DeskProblem } from 'rubicon-artifacts/desk'
import type { BlobProblem } from 'rubicon-artifacts/store'
import { shorten } from 'rubicon-kernel'
import { toProblemReply } from '../../problems/problem.ts'
import { ARTIFACT_ANSWER } from '../../schemas/artifact.ts'
import type { Reply } from '../../schemas/route.ts'

/** What a desk may say to somebody who only reads. Anything else is a mistake, and for the log. */
const READING: ReadonlySet<DeskCode> = new Set<DeskCode>([
  'PATH_INVALID',
  'TARGET_MISSING',
  'TARGET_AMBIGUOUS',
  'ARTIFACT_UNREADABLE',
  'DESK_TIMEOUT',
  'DESK_BUSY',
  'DESK_CLOSED',
])

const SHOWN_CANDIDATES = 16
const SHOWN_LENGTH = 1_000

export const NOT_CONFIGURED: Reply = toProblemReply({
  code: 'ARTIFACTS_NOT_CONFIGURED',
  summary: 'this server does not hold what artifacts consist of',
  fix: 'start it with `rubicon up --artifacts FOLDER`',
})

export function refuseUnknownArtifact(name: string, trajectory: string, seq: number): Reply {
  return toProblemReply({
    code: 'ARTIFACT_UNKNOWN',
    summary: `there is no artifact \`${name}\` at entry \`${trajectory}/${seq}\``,
    fix: `see \`GET /v1/trajectories/${trajectory}/artifacts?at=${seq}\``,
  })
}

export function refuseLargeText(name: string, bytes: number): Reply {
  return toProblemReply({
    code: 'ARTIFACT_TOO_LARGE',
    summary: `\`${name}\` has ${bytes} bytes, and ${ARTIFACT_ANSWER.textBytes} are read at most`,
    fix: 'read its file',
  })
}

export function refuseLongSlice(name: string, length: number): Reply {
  return toProblemReply({
    code: 'ARTIFACT_TOO_LARGE',
    summary: `this part of \`${name}\` has ${length} characters, and an answer ${ARTIFACT_ANSWER.textLength} at most`,
    fix: 'ask for a symbol in it',
  })
}

export function refuseUnreadable(name: string, detail: string): Reply {
  return toProblemReply({ code: 'ARTIFACT_UNREADABLE', summary: `\`${name}\`: ${detail}` })
}

const BLOB_WORDS: Readonly<Record<BlobProblem['code'], readonly [string, string]>> = {
  BLOB_MISSING: [
    'is not kept here any more',
    'restore it from a backup, unless it was erased: then nobody has it',
  ],
  BLOB_CORRUPT: [
    'is not what its hash says, and is not shown',
    'keep it as evidence and restore a backup',
  ],
  BLOB_UNREADABLE: ['cannot be read', 'check the rights of the folder below the state directory'],
}

export function refuseBlob(code: BlobProblem['code'], hash: string): Reply {
  const [what, fix] = BLOB_WORDS[code]
  return toProblemReply({ code, summary: `the content \`${shorten(hash, 80)}\` ${what}`, fix })
}

export function refuseByDesk({ code, artifact, detail, at, candidates = [] }: DeskProblem): Reply {
  if (!READING.has(code)) throw new Error(`the desk refused a question that only reads: ${code}`)
  const place = at === undefined || at === null ? '' : ` (line ${at.line}, column ${at.column})`
  const of = artifact === undefined ? '' : `\`${artifact}\`: `
  return toProblemReply({
    code,
    summary: shorten(`${of}${detail}${place}`, SHOWN_LENGTH),
    ...(candidates.length === 0
      ? {}
      : { meta: { candidates: candidates.slice(0, SHOWN_CANDIDATES) } }),
  })
}
