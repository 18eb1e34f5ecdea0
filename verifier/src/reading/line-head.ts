/** The beginning of a line as exports write it: envelope and id, taken apart without parsing them. */
import {
  type Address,
  type EntryKind,
  type Envelope,
  isIdentifier,
  isSend,
  PAYLOAD_KINDS,
  PROTOCOL_VERSION,
  parseInstant,
} from 'rubicon-kernel'

export type LineHead = {
  readonly envelope: Envelope
  readonly id: Address
  /** Where the payload begins; behind it stands the end of the line. */
  readonly payloadAt: number
}

const KINDS: ReadonlySet<string> = new Set(PAYLOAD_KINDS)
const SCHEME = 'sha256:'
const ADDRESS_LENGTH = SCHEME.length + 64
const AT_LENGTH = 24
/** Up to so many digits every integer is written as it is read. */
const SAFE_DIGITS = 15

/** Reads from left to right; undefined where something else stands there, and from then on. */
class Cutter {
  readonly text: string
  at = 0
  isLost = false

  constructor(text: string) {
    this.text = text
  }

  has(part: string): boolean {
    if (!this.text.startsWith(part, this.at)) return false
    this.at += part.length
    return true
  }

  /** What must stand here. */
  pass(part: string): void {
    if (!this.has(part)) this.isLost = true
  }

  /** Looked at where it stands: a part of a text that was cut out is slower to walk over. */
  address(): Address {
    const start = this.at
    this.pass(SCHEME)
    for (let i = start + SCHEME.length; i < start + ADDRESS_LENGTH; i += 1) {
      const code = this.text.charCodeAt(i)
      const isHex = (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66)
      if (!isHex) this.isLost = true
    }
    this.at = start + ADDRESS_LENGTH
    return this.text.slice(start, this.at) as Address
  }

  /** Up to the next quote. */
  identifier(): string {
    const end = this.text.indexOf('"', this.at)
    const text = this.cut(end)
    if (end < 0 || !isIdentifier(text)) this.isLost = true
    return text
  }

  time(): string {
    const text = this.cut(this.at + AT_LENGTH)
    if (parseInstant(text) === undefined) this.isLost = true
    return text
  }

  count(): number {
    const start = this.at
    let value = 0
    for (let code = this.digit(); code >= 0; code = this.digit()) {
      value = value * 10 + code
      this.at += 1
    }
    const length = this.at - start
    const isPadded = length > 1 && this.text[start] === '0'
    if (length === 0 || length > SAFE_DIGITS || isPadded) this.isLost = true
    return value
  }

  private digit(): number {
    const code = this.text.charCodeAt(this.at) - 0x30
    return code >= 0 && code <= 9 ? code : -1
  }

  private cut(end: number): string {
    const text = this.text.slice(this.at, end)
    this.at = end
    return text
  }
}

/** Undefined: it is another text, or one that has to be read to say what is wrong with it. */
export function headOf(text: string): LineHead | undefined {
  const cutter = new Cutter(text)
  cutter.pass('{"envelope":{"at":"')
  const at = cutter.time()
  cutter.pass('",')
  const authority_seq = cutter.has('"authority_seq":') ? cutter.count() : undefined
  if (authority_seq !== undefined) cutter.pass(',')
  const dfid = cutter.has('"dfid":"') ? cutter.identifier() : undefined
  if (dfid !== undefined) cutter.pass('",')
  cutter.pass('"kind":"')
  const kind = cutter.identifier()
  cutter.pass('","parent":')
  const isFirst = cutter.has('null')
  if (!isFirst) cutter.pass('"')
  const parent = isFirst ? null : cutter.address()
  if (!isFirst) cutter.pass('"')
  cutter.pass(',"payload_hash":"')
  const payload_hash = cutter.address()
  cutter.pass('","seq":')
  const seq = cutter.count()
  cutter.pass(',"tenant":"')
  const tenant = cutter.identifier()
  cutter.pass('","trajectory":"')
  const trajectory = cutter.identifier()
  cutter.pass(`","v":${PROTOCOL_VERSION}},"id":"`)
  const id = cutter.address()
  cutter.pass('","payload":')
  if (cutter.isLost || !KINDS.has(kind)) return undefined
  // What is sent says which authority it saw; nothing else does.
  if (isSend(kind as EntryKind) !== (authority_seq !== undefined)) return undefined
  const envelope: Envelope = {
    v: PROTOCOL_VERSION,
    tenant,
    trajectory,
    seq,
    parent,
    kind: kind as EntryKind,
    at,
    ...(dfid === undefined ? {} : { dfid }),
    ...(authority_seq === undefined ? {} : { authority_seq }),
    payload_hash,
  }
  return { envelope, id, payloadAt: cutter.at }
}
