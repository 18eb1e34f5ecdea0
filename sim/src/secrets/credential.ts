/**
 * Credentials that can be recognised wherever they come out. One that is chosen begins and ends with words that nobody
 * else writes, so that half of one is found as well; between them stand characters that codings change.
 */
import { randomBytes } from 'node:crypto'

export type Credential = {
  readonly name: string
  /** What is looked for: each of these alone is a leak. */
  readonly marks: readonly Buffer[]
  /** Where it may be: its own file, whoever it was made for. */
  readonly belongs: readonly string[]
}

export type ChosenCredential = Credential & { readonly value: string }

/** A secret of text. All of its characters may stand in a header. */
export function createCanarySecret(
  name: string,
  belongs: readonly string[] = [],
): ChosenCredential {
  const [head, tail] = [createMark(), createMark()]
  const value = `${head}+/%&"=${tail}`
  return { name, value, marks: [Buffer.from(head), Buffer.from(tail)], belongs }
}

/** For what takes letters and digits alone. */
export function createPlainSecret(name: string, belongs: readonly string[] = []): ChosenCredential {
  const [head, tail] = [createMark(), createMark()]
  return { name, value: `${head}${tail}`, marks: [Buffer.from(head), Buffer.from(tail)], belongs }
}

/** One that the system made: it is known by its bytes. */
export function toCredential(
  name: string,
  bytes: Uint8Array,
  belongs: readonly string[] = [],
): Credential {
  return { name, marks: [Buffer.from(bytes)], belongs }
}

const MARK_BYTES = 9

function createMark(): string {
  return `cnry${randomBytes(MARK_BYTES).toString('hex')}`
}

/** As it is, in hexadecimal, and what stays the same of base64 wherever in a text it begins. */
export function listMarkForms(mark: Buffer): readonly Buffer[] {
  const hex = mark.toString('hex')
  const base64 = [0, 1, 2].flatMap((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), mark]).toString('base64')
    const text = coded.slice(before === 0 ? 0 : 4, -4)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const texts = [...new Set([hex, hex.toUpperCase(), ...base64])]
  return [mark, ...texts.map((text) => Buffer.from(text))]
}
