/**
 * Holds what was generated against the specification that it was generated from. The specification is the
 * authority: a generated file is a claim, and a claim that says more, less or something else is refused.
 */
import {
  type Contract,
  isObject,
  type JsonObject,
  type JsonValue,
  parseContract,
  parseJson,
  parseManifest,
  toCanonicalText,
} from 'rubicon-kernel'

/** The texts of one round: three that people wrote, and what was made of them. */
export type Round = {
  readonly rules: string
  readonly specification: string
  readonly prompt: string
  readonly contract: string
  /** Manifests by the names of their files. */
  readonly manifests: Readonly<Record<string, string>>
}

/** Every difference in a line; none: the claim holds. */
export function findDifferences(round: Round): readonly string[] {
  const specification = readBlock(round.specification)
  const rules = readBlock(round.rules)
  return [
    ...checkPrompt(round.prompt),
    ...checkContract(specification, readDocument(round.contract)),
    ...checkManifests(specification, rules, round.manifests),
  ]
}

/** The one block of a page that programs read. A page with none, or with two, says nothing that can be checked. */
function readBlock(page: string): JsonObject {
  const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)]
  if (blocks.length !== 1)
    throw new Error(`a page has one block, and this one has ${blocks.length}`)
  return readDocument(blocks[0]?.[1] ?? '')
}

function readDocument(text: string): JsonObject {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(`this is no JSON: ${parsed.error.code}`)
  return toObject(parsed.value)
}

function toObject(value: JsonValue | undefined): JsonObject {
  if (value === undefined || !isObject(value)) throw new Error('an object is expected')
  return value
}

/** A prompt that named an amount or held a block would be a second specification. */
function checkPrompt(prompt: string): readonly string[] {
  if (prompt.includes('```'))
    return ['prompt.md: it has a block; authority is said in specification.md']
  const [amount] = prompt.match(/\d[\d.,]*/) ?? []
  return amount === undefined
    ? []
    : [`prompt.md: it names \`${amount}\`; amounts are said in specification.md`]
}

/** Who the agent is and who answers for it is the team's to say; everything else is the specification's. */
const OWN = ['api_version', 'kind', 'agent_id', 'version', 'owner', 'effective_from'] as const

function checkContract(specification: JsonObject, claimed: JsonObject): readonly string[] {
  if (claimed.agent_id !== specification.agent_id)
    return [`contract.json: \`agent_id\` is not ${String(specification.agent_id)}`]
  const own = Object.fromEntries(OWN.map((name) => [name, claimed[name] ?? null]))
  const wanted = readContract({ ...own, ...toObject(specification.contract) }, 'specification.md')
  const found = readContract(claimed, 'contract.json')
  if (typeof wanted === 'string') return [wanted]
  if (typeof found === 'string') return [found]
  return compare('contract.json: ', toJson(wanted), toJson(found))
}

/** With every default filled in: what is left out must not say more than what is written. */
function readContract(document: JsonObject, file: string): Contract | string {
  const parsed = parseContract(document)
  if (parsed.ok) return parsed.value
  return `${file}: ${parsed.error.map(({ path, detail }) => `${path} ${detail}`).join('; ')}`
}

function toJson(value: object): JsonObject {
  return readDocument(JSON.stringify(value))
}

/** What a manifest says of how it is called; everything else in it is law, and stands in the specification. */
const CALLED = [
  'manifest',
  'kind',
  'version',
  'summary',
  'params',
  'result',
  'idempotency',
  'executor',
]

function checkManifests(
  specification: JsonObject,
  rules: JsonObject,
  manifests: Round['manifests'],
): readonly string[] {
  const wanted = toObject(specification.capabilities)
  const found: string[] = []
  const kinds: string[] = []
  for (const [file, text] of Object.entries(manifests)) {
    const parsed = parseManifest(readDocument(text))
    if (!parsed.ok) {
      found.push(`${file}: ${parsed.error.code}`)
      continue
    }
    const { kind, effect, executor } = parsed.value
    kinds.push(kind)
    if (!has(rules.effects, effect)) found.push(`${file}: rules.md has no effect \`${effect}\``)
    for (const name of Object.keys(executor))
      if (!has(rules.executors, name)) found.push(`${file}: rules.md has no executor \`${name}\``)
    if (wanted[kind] === undefined) {
      found.push(`${file}: the specification has no \`${kind}\``)
      continue
    }
    const { reaches, ...law } = toObject(wanted[kind])
    const reached = 'http' in executor ? `${executor.http.method} ${executor.http.url}` : null
    const claimed = Object.entries(toJson(parsed.value)).filter(([name]) => !CALLED.includes(name))
    found.push(
      ...compare(
        `${file}: `,
        { ...law, reaches: reaches ?? null },
        { ...Object.fromEntries(claimed), reaches: reached },
      ),
    )
  }
  for (const kind of Object.keys(wanted))
    if (!kinds.includes(kind)) found.push(`no manifest has \`${kind}\``)
  return found
}

function has(list: JsonValue | undefined, name: string): boolean {
  return Array.isArray(list) && list.includes(name)
}

/** Each place at which the two differ, the deepest that has a name. */
function compare(place: string, wanted: JsonObject, found: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].sort()
  return names.flatMap((name) => {
    const [said, claimed] = [wanted[name], found[name]]
    const [before, after] = [said, claimed].map((one) =>
      one === undefined ? 'nothing' : toCanonicalText(one),
    )
    if (before === after) return []
    if (said !== undefined && claimed !== undefined && isObject(said) && isObject(claimed))
      return compare(`${place}${name}.`, said, claimed)
    return [`${place}${name} is ${after}, and the specification says ${before}`]
  })
}
