/**
 * The hostile inputs of the threat model, wire and parsing: each with the code that must come out.
 *
 * `ACCEPTED` stands where the input is sound and only looks odd. Proposals are given as the members
 * that differ from a good one, or as the whole body.
 */
export type ParsingInput = {
  readonly row: string
  /** What it is, in a few words. */
  readonly input: string
  readonly expected: string
} & (
  | { readonly via: 'body'; readonly body: string | Uint8Array }
  /** JSON text of members that are put at the end of a good proposal. */
  | { readonly via: 'members'; readonly members: string }
  /** Handed over in code, as an SDK does. */
  | { readonly via: 'object'; readonly members: () => object }
  | { readonly via: 'contract'; readonly pattern: string }
  | { readonly via: 'schema'; readonly pattern: string }
)

const MEGABYTE = 1_048_576

function body(
  row: string,
  expected: string,
  input: string,
  text: string | Uint8Array,
): ParsingInput {
  return { row, input, expected, via: 'body', body: text }
}

/** The text is its own description where it is short. */
function bodies(row: string, expected: string, texts: readonly string[]): ParsingInput[] {
  return texts.map((text) => body(row, expected, text, text))
}

function params(row: string, expected: string, texts: readonly string[]): ParsingInput[] {
  return texts.map((text) => ({
    row,
    input: text,
    expected,
    via: 'members',
    members: `"params":${text}`,
  }))
}

function amounts(row: string, expected: string, numbers: readonly string[]): ParsingInput[] {
  return params(
    row,
    expected,
    numbers.map((number) => `{"amount":${number}}`),
  )
}

function identifier(input: string, member: string, value: string): ParsingInput {
  const members = `"${member}":${JSON.stringify(value)}`
  return {
    row: 'C10',
    input: `${member}: ${input}`,
    expected: 'ID_CHARSET',
    via: 'members',
    members,
  }
}

function handed(input: string, make: () => unknown): ParsingInput {
  const members = (): object => ({ params: { amount: make() } })
  return { row: 'C11', input, expected: 'VALUE_NOT_JSON', via: 'object', members }
}

const cyclic = (): unknown => {
  const value: { self?: unknown } = {}
  value.self = value
  return value
}

const bytes = (...codes: number[]): Uint8Array => Uint8Array.from(codes)
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join()}}`

/** A repetition inside a repetition: 26 seconds in a backtracking engine. */
export const NESTED_REPETITION = '^(a+)+$'
const ALMOST = `"${'a'.repeat(28)}!"`

export const PARSING_INPUTS: readonly ParsingInput[] = [
  ...bodies('C1', 'JSON_DUPLICATE_KEY', [
    '{"amount":1,"amount":1000}',
    '{"amount":1,"amount":1}',
    '{"a":1,"\\u0061":2}',
    '{"params":{"to":{"iban":"A","iban":"B"}}}',
  ]),

  ...amounts('C2', 'ACCEPTED', ['1', '1.0', '1e0', '10e-1']),

  ...amounts('C3', 'JSON_NEGATIVE_ZERO', ['-0', '-0.0e5', '-1e-400']),

  ...amounts('C4', 'JSON_NUMBER_RANGE', ['1e400', '-1e400']),

  ...amounts('C5', 'JSON_NUMBER_PRECISION', ['9007199254740993', '0.30000000000000004441']),

  ...bodies('C6', 'JSON_LONE_SURROGATE', ['"\\ud800"', '"\\udc00\\ud800"', '{"\\ud800":1}']),
  body('C6', 'BODY_NOT_UTF8', 'bytes ff fe', bytes(0xff, 0xfe)),
  body('C6', 'BODY_NOT_UTF8', 'an overlong slash', bytes(0x22, 0xc0, 0xaf, 0x22)),
  body('C6', 'BODY_NOT_UTF8', 'a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d)),

  ...bodies('C7', 'JSON_FORBIDDEN_KEY', [
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"\\u005f_proto__":{}}',
    '{"a":{"b":{"c":{"__proto__":{"isAdmin":true}}}}}',
  ]),

  body('C8', 'JSON_DEPTH', 'depth 65', nested(65)),
  body('C8', 'JSON_DEPTH', 'depth 100,000', nested(100_000)),
  body('C8', 'BODY_TOO_LARGE', 'depth 1,000,000', nested(1_000_000)),
  body('C8', 'BODY_TOO_LARGE', '1 MB and a byte', ' '.repeat(MEGABYTE + 1)),
  body('C8', 'BODY_TOO_LARGE', 'a string of 1 MB', JSON.stringify('x'.repeat(MEGABYTE))),
  body('C8', 'JSON_TOO_MANY_KEYS', '10,001 keys', keys(10_001)),
  body('C8', 'JSON_NUMBER_RANGE', 'a number of 200,000 digits', '9'.repeat(200_000)),
  body('C8', 'JSON_NUMBER_PRECISION', '200,000 decimals', `0.${'1'.repeat(200_000)}`),

  ...params('C9', 'ACCEPTED', ['{"\\ufb33":2,"\\ud83d\\ude00":1}', '{"\ufb33":2,"\u{1f600}":1}']),

  identifier('composed e with acute', 'step_id', 'caf\u00e9'),
  identifier('e and a combining acute', 'step_id', 'cafe\u0301'),
  identifier('Cyrillic a', 'policy_kind', 'P\u0410Y'),
  identifier('right-to-left override', 'step_id', 'pay\u202e1'),
  identifier('zero-width space', 'policy_kind', 'PAY\u200b'),
  identifier('tag character', 'agent_id', 'payer_01\u{e0041}'),
  identifier('fullwidth letters', 'explain_ref', '\uff50\uff41\uff59'),
  identifier('129 letters', 'step_id', 'a'.repeat(129)),
  {
    row: 'C10',
    input: 'the same in free text',
    expected: 'ACCEPTED',
    via: 'members',
    members: `"justification":${JSON.stringify('\u202e\u200b\u0430 cafe\u0301 \u{e0041}')}`,
  },

  handed('BigInt', () => 1n),
  handed('undefined', () => undefined),
  handed('NaN', () => Number.NaN),
  handed('Infinity', () => Number.POSITIVE_INFINITY),
  handed('Date', () => new Date(0)),
  handed('toJSON', () => ({ toJSON: () => 1 })),
  handed('cyclic object', cyclic),
  handed('getter', () => Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })),
  handed('function', () => () => 1),
  handed('Map', () => new Map()),
  handed('hole in an array', () => new Array(1)),

  {
    row: 'C12',
    input: 'contract: a back-reference',
    expected: 'POLICY_REGEX_UNSAFE',
    via: 'contract',
    pattern: '(a)\\1',
  },
  {
    row: 'C12',
    input: 'contract: look-ahead',
    expected: 'POLICY_REGEX_UNSAFE',
    via: 'contract',
    pattern: '(?=a)a+',
  },
  {
    row: 'C12',
    input: 'schema: a back-reference',
    expected: 'POLICY_REGEX_UNSAFE',
    via: 'schema',
    pattern: '(a)\\1',
  },
  {
    row: 'C12',
    input: `contract: ${NESTED_REPETITION} on 28 a and !`,
    expected: 'RESOURCE_SCOPE',
    via: 'members',
    members: `"policy_kind":"TOUCH","params":{"path":${ALMOST}}`,
  },
  {
    row: 'C12',
    input: `schema: ${NESTED_REPETITION} on 28 a and !`,
    expected: 'ARGUMENTS_INVALID',
    via: 'members',
    members: `"policy_kind":"NAME","params":{"name":${ALMOST}}`,
  },
]
