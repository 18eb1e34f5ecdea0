/** The beginning of a line as exports write it: envelope and id, taken apart without parsing them. */
import {
  type Address,
  type EntryKind,
  type Envelope,
  isSend,
  LIMITS,
  PAYLOAD_KINDS,
  PROTOCOL_VERSION,
  parseInstant,
} from 'rubicon-kernel'

export type LineHead = {
  readonly envelope: Envelope
  /** Canonical, as it stands in the line. */
  readonly envelopeText: string
  readonly id: Address
  /** Where the payload begins; behind it stands the end of the line. */
  readonly payloadAt: number
}

const KINDS: ReadonlySet<string> = new Set(PAYLOAD_KINDS)

const ADDRESS = 'sha256:[0-9a-f]{64}'
const IDENTIFIER = `[A-Za-z0-9._:@-]{1,${LIMITS.identifierLength}}`
/** Up to fifteen digits every integer is written as it is read. */
const COUNT = '0|[1-9][0-9]{0,14}'
const HEAD = new RegExp(
  [
    '^\\{"envelope":(\\{"at":"([^"]{24})",',
    `(?:"authority_seq":(${COUNT}),)?`,
    `(?:"dfid":"(${IDENTIFIER})",)?`,
    '"kind":"([a-z_]+)",',
    `"parent":(?:null|"(${ADDRESS})"),`,
    `"payload_hash":"(${ADDRESS})",`,
    `"seq":(${COUNT}),`,
    `"tenant":"(${IDENTIFIER})",`,
    `"trajectory":"(${IDENTIFIER})",`,
    `"v":${PROTOCOL_VERSION}\\}),"id":"(${ADDRESS})","payload":`,
  ].join(''),
)

/** Undefined: it is another text, or one that has to be read to say what is wrong with it. */
export function parseLineHead(text: string): LineHead | undefined {
  const found = HEAD.exec(text)
  if (found === null) return undefined
  const at = found[2] ?? ''
  const cited = found[3]
  const dfid = found[4]
  const kind = (found[5] ?? '') as EntryKind
  if (parseInstant(at) === undefined || !KINDS.has(kind)) return undefined
  // What is sent says which authority it saw; nothing else does.
  if (isSend(kind) !== (cited !== undefined)) return undefined
  const envelope: Writable<Envelope> = {
    v: PROTOCOL_VERSION,
    tenant: found[9] ?? '',
    trajectory: found[10] ?? '',
    seq: Number(found[8]),
    parent: (found[6] ?? null) as Address | null,
    kind,
    at,
    payload_hash: found[7] as Address,
  }
  if (dfid !== undefined) envelope.dfid = dfid
  if (cited !== undefined) envelope.authority_seq = Number(cited)
  const id = found[11] as Address
  return { envelope, envelopeText: found[1] ?? '', id, payloadAt: found[0].length }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
