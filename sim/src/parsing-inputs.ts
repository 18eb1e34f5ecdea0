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

function buildBodyInput(
  row: string,
  expected: string,
  input: string,
  text: string | Uint8Array,
): ParsingInput {
  return { row, input, expected, via: 'body', body: text }
}

/** The text is its own description where it is short. */
function buildBodyInputs(row: string, expected: string, texts: readonly string[]): ParsingInput[] {
  return texts.map((text) => buildBodyInput(row, expected, text, text))
}

function buildParamsInputs(
  row: string,
  expected: string,
  texts: readonly string[],
): ParsingInput[] {
  return texts.map((text) => ({
    row,
    input: text,
    expected,
    via: 'members',
    members: `"params":${text}`,
  }))
}

function buildAmountInputs(
  row: string,
  expected: string,
  numbers: readonly string[],
): ParsingInput[] {
  return buildParamsInputs(
    row,
    expected,
    numbers.map((number) => `{"amount":${number}}`),
  )
}

function buildIdentifierInput(input: string, member: string, value: string): ParsingInput {
  const members = `"${member}":${JSON.stringify(value)}`
  return {
    row: 'C10',
    input: `${member}: ${input}`,
    expected: 'ID_CHARSET',
    via: 'members',
    members,
  }
}

function buildObjectInput(input: string, make: () => unknown): ParsingInput {
  const buildMembers = (): object => ({ params: { amount: make() } })
  return { row: 'C11', input, expected: 'VALUE_NOT_JSON', via: 'object', members: buildMembers }
}

const createCyclicValue = (): unknown => {
  const value: { self?: unknown } = {}
  value.self = value
  return value
}

const toBytes = (...codes: number[]): Uint8Array => Uint8Array.from(codes)
const buildNestedArrayText = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const buildObjectText = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join()}}`

/** A repetition inside a repetition: 26 seconds in a backtracking engine. */
export const NESTED_REPETITION = '^(a+)+$'
const ALMOST = `"${'a'.repeat(28)}!"`

export const PARSING_INPUTS: readonly ParsingInput[] = [
  ...buildBodyInputs('C1', 'JSON_DUPLICATE_KEY', [
    '{"amount":1,"amount":1000}',
    '{"amount":1,"amount":1}',
    '{"a":1,"\\u0061":2}',
    '{"params":{"to":{"iban":"A","iban":"B"}}}',
  ]),

  ...buildAmountInputs('C2', 'ACCEPTED', ['1', '1.0', '1e0', '10e-1']),

  ...buildAmountInputs('C3', 'JSON_NEGATIVE_ZERO', ['-0', '-0.0e5', '-1e-400']),

  ...buildAmountInputs('C4', 'JSON_NUMBER_RANGE', ['1e400', '-1e400']),

  ...buildAmountInputs('C5', 'JSON_NUMBER_PRECISION', [
    '9007199254740993',
    '0.30000000000000004441',
  ]),

  ...buildBodyInputs('C6', 'JSON_LONE_SURROGATE', [
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '{"\\ud800":1}',
  ]),
  buildBodyInput('C6', 'BODY_NOT_UTF8', 'bytes ff fe', toBytes(0xff, 0xfe)),
  buildBodyInput('C6', 'BODY_NOT_UTF8', 'an overlong slash', toBytes(0x22, 0xc0, 0xaf, 0x22)),
  buildBodyInput('C6', 'BODY_NOT_UTF8', 'a byte order mark', toBytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d)),

  ...buildBodyInputs('C7', 'JSON_FORBIDDEN_KEY', [
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"\\u005f_proto__":{}}',
    '{"a":{"b":{"c":{"__proto__":{"isAdmin":true}}}}}',
  ]),

  buildBodyInput('C8', 'JSON_DEPTH', 'depth 65', buildNestedArrayText(65)),
  buildBodyInput('C8', 'JSON_DEPTH', 'depth 100,000', buildNestedArrayText(100_000)),
  buildBodyInput('C8', 'BODY_TOO_LARGE', 'depth 1,000,000', buildNestedArrayText(1_000_000)),
  buildBodyInput('C8', 'BODY_TOO_LARGE', '1 MB and a byte', ' '.repeat(MEGABYTE + 1)),
  buildBodyInput('C8', 'BODY_TOO_LARGE', 'a string of 1 MB', JSON.stringify('x'.repeat(MEGABYTE))),
  buildBodyInput('C8', 'JSON_TOO_MANY_KEYS', '10,001 keys', buildObjectText(10_001)),
  buildBodyInput('C8', 'JSON_NUMBER_RANGE', 'a number of 200,000 digits', '9'.repeat(200_000)),
  buildBodyInput('C8', 'JSON_NUMBER_PRECISION', '200,000 decimals', `0.${'1'.repeat(200_000)}`),

  ...buildParamsInputs('C9', 'ACCEPTED', [
    '{"\\ufb33":2,"\\ud83d\\ude00":1}',
    '{"\ufb33":2,"\u{1f600}":1}',
  ]),

  buildIdentifierInput('composed e with acute', 'step_id', 'caf\u00e9'),
  buildIdentifierInput('e and a combining acute', 'step_id', 'cafe\u0301'),
  buildIdentifierInput('Cyrillic a', 'policy_kind', 'P\u0410Y'),
  buildIdentifierInput('right-to-left override', 'step_id', 'pay\u202e1'),
  buildIdentifierInput('zero-width space', 'policy_kind', 'PAY\u200b'),
  buildIdentifierInput('tag character', 'agent_id', 'payer_01\u{e0041}'),
  buildIdentifierInput('fullwidth letters', 'explain_ref', '\uff50\uff41\uff59'),
  buildIdentifierInput('129 letters', 'step_id', 'a'.repeat(129)),
  {
    row: 'C10',
    input: 'the same in free text',
    expected: 'ACCEPTED',
    via: 'members',
    members: `"justification":${JSON.stringify('\u202e\u200b\u0430 cafe\u0301 \u{e0041}')}`,
  },

  buildObjectInput('BigInt', () => 1n),
  buildObjectInput('undefined', () => undefined),
  buildObjectInput('NaN', () => Number.NaN),
  buildObjectInput('Infinity', () => Number.POSITIVE_INFINITY),
  buildObjectInput('Date', () => new Date(0)),
  buildObjectInput('toJSON', () => ({ toJSON: () => 1 })),
  buildObjectInput('cyclic object', createCyclicValue),
  buildObjectInput('getter', () =>
    Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }),
  ),
  buildObjectInput('function', () => () => 1),
  buildObjectInput('Map', () => new Map()),
  buildObjectInput('hole in an array', () => new Array(1)),

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
