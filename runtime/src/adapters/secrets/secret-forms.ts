/** How a secret looks where somebody quotes what they were sent. Whatever removes secrets from words looks for these. */

/** The codings in which servers quote a header: JSON, percent, form, hex, base64 at each of its offsets. */
export function listSecretForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const percent = encodeURIComponent(secret)
  const plain = [
    secret,
    secret.trim(),
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll('%20', '+'),
    bytes.toString('hex'),
    ...listBase64Forms(bytes),
  ]
  // A form of a few characters would be found by chance.
  return plain.filter((form) => form.length >= 8)
}

/** Base64 says three bytes in four characters: what stands before a text shifts it. The edges are others' too. */
function listBase64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const from = offset === 0 ? 0 : offset + 1
    const isEven = (offset + bytes.length) % 3 === 0
    const middle = text.slice(from, isEven ? undefined : -1)
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** As often as one quotes another who quotes a third. */
const QUOTED_AT_MOST = 4

/**
 * Whether the secret stands there once escapes are read: percents in any spelling, escapes of JSON and HTML, each of them
 * several times over. Where in the text it stood is then of no use: what holds it goes as a whole.
 */
export function isEscapedIn(text: string, secret: string): boolean {
  // It may look like an escape itself: it is read as whatever holds it is.
  const layers = listLayers(secret)
  return listLayers(text).some((read) => layers.some((plain) => read.includes(plain)))
}

/** The text with one, two … layers of escapes read; none where there are none. */
function listLayers(text: string): readonly string[] {
  const layers: string[] = []
  for (let read = readEscapes(text); layers.length < QUOTED_AT_MOST; read = readEscapes(read)) {
    if (read === (layers.at(-1) ?? '')) break
    layers.push(read)
  }
  return layers
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
}

/** One layer. A backslash that is left of an escape of JSON goes with it. */
function readEscapes(text: string): string {
  const read = text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => toCharacter(Number.parseInt(hex, 16)))
    .replaceAll('\\', '')
    .replaceAll(/&(amp|quot|apos|lt|gt);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => toCharacter(Number(code)))
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, code: string) =>
      toCharacter(Number.parseInt(code, 16)),
    )
  return read.includes('%') ? readPercents(read) : read
}

function toCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
}

function readPercents(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  )
}

/** The text without it: where it is quoted, another word; where escapes hide it, that word alone. */
export function removeSecret(text: string, secret: string, instead: string): string {
  if (secret === '') return text
  // Others than tools take short ones, too.
  const left = text.replaceAll(buildFormsPattern([secret, ...listSecretForms(secret)]), instead)
  return isEscapedIn(left, secret) ? instead : left
}

/** All of them at once, in any case: a search for each alone would leave the end of a longer one behind. */
export function buildFormsPattern(forms: readonly string[]): RegExp {
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(escapePattern).join('|'), 'gi')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
