/**
 * What an attacker with the file can do. Each case says where an honest verifier must point first:
 * at a leaf, or at the checkpoint (null).
 */
import { computeAddressOfText, type Envelope, formatEnvelope } from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import type { Rng } from '../rng.ts'

export type TamperKind = 'byte' | 'remove' | 'reorder' | 'rehash' | 'tail'

export type TamperCase = {
  readonly kind: TamperKind
  readonly bytes: Buffer
  /** Leaves that may be named first; null stands for the checkpoint. */
  readonly places: readonly (number | null)[]
}

/** One byte of the line of `leaf` becomes another. */
export function replaceByte(lines: readonly string[], leaf: number, rng: Rng): TamperCase {
  const line = Buffer.from(lines[leaf + 1] ?? '')
  const at = rng.drawBelow(line.length)
  const before = line[at] ?? 0
  // A line feed would only cut the line in two, which removal and reordering cover.
  let after = before
  while (after === before || after === 10) after = rng.drawBelow(256)
  line[at] = after
  const bytes = Buffer.concat(
    lines.flatMap((text, index) => [
      index === leaf + 1 ? line : Buffer.from(text),
      Buffer.from('\n'),
    ]),
  )
  return { kind: 'byte', bytes, places: [leaf] }
}

export function removeEntry(lines: readonly string[], rng: Rng): TamperCase {
  const leaf = 1 + rng.drawBelow(lines.length - 3)
  const kept = lines.filter((_, index) => index !== leaf + 1)
  const { trajectory } = parseEnvelope(lines[leaf + 1] ?? '')
  const next = kept.findIndex(
    (line, index) => index > leaf && parseEnvelope(line).trajectory === trajectory,
  )
  // What cited the removed entry may also be the first to notice: anything from here on.
  const noticed = kept.slice(leaf + 1).map((_, index) => leaf + index)
  const places = next === -1 ? [...noticed, null] : noticed.filter((place) => place <= next - 1)
  return { kind: 'remove', bytes: joinLines(kept), places }
}

export function swapEntries(lines: readonly string[], rng: Rng): TamperCase {
  const first = 1 + rng.drawBelow(lines.length - 4)
  const second = first + 1 + rng.drawBelow(lines.length - 3 - first)
  const swapped = [...lines]
  swapped[first + 1] = lines[second + 1] ?? ''
  swapped[second + 1] = lines[first + 1] ?? ''
  const between = Array.from({ length: second - first + 1 }, (_, index) => first + index)
  return { kind: 'reorder', bytes: joinLines(swapped), places: [...between, null] }
}

/** Changes a payload and recomputes every hash after it: only what is signed gives it away. */
export function rehash(lines: readonly string[], rng: Rng): TamperCase {
  const leaf = rng.drawBelow(lines.length - 1)
  const ids = new Map<string, string>()
  const rewritten = lines.map((line, index) => {
    if (index === 0) return line
    const payload = extractPayloadText(line)
    const changed =
      index === leaf + 1 ? payload.replace(/[0-9](?=[^0-9]*$)/, computeNextDigit) : payload
    const envelope = parseEnvelope(line)
    const { parent } = envelope
    const moved: Envelope = {
      ...envelope,
      parent: parent === null ? null : ((ids.get(parent) ?? parent) as Envelope['parent']),
      payload_hash: computeAddressOfText('payload', changed, sha256),
    }
    const text = formatEnvelope(moved)
    const id = computeAddressOfText('entry', text, sha256)
    ids.set(parseEntryId(line), id)
    return `{"envelope":${text},"id":"${id}","payload":${changed}}`
  })
  return { kind: 'rehash', bytes: joinLines(rewritten), places: [null] }
}

const computeNextDigit = (digit: string): string => String((Number(digit) + 1) % 10)

export function cutTail(lines: readonly string[], rng: Rng): TamperCase {
  const cut = 1 + rng.drawBelow(Math.min(10, lines.length - 2))
  return { kind: 'tail', bytes: joinLines(lines.slice(0, -cut)), places: [null] }
}

function joinLines(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

function parseEnvelope(line: string): Envelope {
  return (JSON.parse(line) as { envelope: Envelope }).envelope
}

function parseEntryId(line: string): string {
  return (JSON.parse(line) as { id: string }).id
}

function extractPayloadText(line: string): string {
  return line.slice(line.indexOf('"payload":', line.indexOf('"id":"')) + '"payload":'.length, -1)
}
