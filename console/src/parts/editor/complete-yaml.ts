/** What can be written at a place of a contract or a monitor: members, choices, and names that exist. */
import type { Shape } from './document-shape.ts'
import {
  type KnownNames,
  listDistinct,
  MOST_SUGGESTIONS,
  type Suggestion,
  type Suggestions,
} from './suggestion.ts'
import { findYamlPlace, type YamlPlace } from './yaml-place.ts'

export function completeYaml(
  shape: Shape,
  text: string,
  at: number,
  known: KnownNames,
  explicit = false,
): Suggestions | null {
  const place = findYamlPlace(text, at)
  if (place === null || (place.typed === '' && !explicit)) return null
  const found = findShape(shape, place.path)
  if (found === null) return null
  const options = place.kind === 'name' ? listMembers(found, place) : listValues(found, known)
  if (options.length === 0) return null
  return {
    from: at - place.typed.length,
    options: quoteAll(options, place).slice(0, MOST_SUGGESTIONS),
  }
}

export function findShape(shape: Shape, path: readonly string[]): Shape | null {
  let found: Shape | undefined = shape
  for (const step of path) {
    found = step === '*' ? found?.items : (getOwnMember(found?.members, step) ?? found?.each)
    if (found === undefined) return null
  }
  return found
}

/** Names are typed by people: `constructor` is none of ours. */
function getOwnMember(members: Shape['members'], name: string): Shape | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined
}

function listMembers({ members = {} }: Shape, { taken }: YamlPlace): readonly Suggestion[] {
  return Object.entries(members)
    .filter(([name]) => !taken.includes(name))
    .map(([label, { says, begins = '' }]) => ({
      label,
      insert: `${label}: ${begins}`,
      ...(says === undefined ? {} : { info: says }),
    }))
}

function listValues({ choices, names, items }: Shape, known: KnownNames): readonly Suggestion[] {
  const chosen = (choices ?? []).map((label) => ({ label }))
  if (names !== undefined) return [...chosen, ...NAMES[names](known)]
  // `[` is not there yet: what stands in the list is offered with it.
  if (items === undefined) return chosen
  return listValues(items, known).map(({ insert, label, ...one }) => {
    return { ...one, label, insert: `[${insert ?? quoteYaml(label)}]` }
  })
}

const NAMES: Readonly<
  Record<NonNullable<Shape['names']>, (known: KnownNames) => readonly Suggestion[]>
> = {
  kinds: ({ actions }) => actions.map(({ kind, summary }) => ({ label: kind, info: summary })),
  measures: (known) => listMeasures(known).map((label) => ({ label })),
  pointers: ({ actions }) =>
    listDistinct(
      actions.flatMap(({ params }) => params.map(({ path, type }) => toPointer(path, type))),
    ).map((label) => ({ label })),
  agents: ({ agents }) => agents.map((label) => ({ label })),
  topics: ({ topics }) => topics.map((label) => ({ label })),
  sources: (known) =>
    ['status', ...listMeasures(known).map((name) => `measure:${name}`)].map((label) => ({ label })),
}

function listMeasures({ actions }: KnownNames): readonly string[] {
  return listDistinct(actions.flatMap(({ measures }) => measures))
}

function toPointer(path: readonly string[], type: string): string {
  const steps = path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return type === 'array' ? `${steps}/*` : steps
}

/** What would be something else in YAML is written as a text. */
function quoteAll(
  options: readonly Suggestion[],
  { kind, typed: written }: YamlPlace,
): readonly Suggestion[] {
  if (kind === 'name') return options
  return options.map((one) => {
    const insert = one.insert ?? quoteYaml(one.label)
    return { ...one, insert: written.startsWith('"') ? quoteDouble(one.label) : insert }
  })
}

const PLAIN = /^[A-Za-z/][A-Za-z0-9_./~@-]*$/
const WORDS = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off'])

export function quoteYaml(text: string): string {
  if (text === 'true' || text === 'false') return text
  return PLAIN.test(text) && !WORDS.has(text.toLowerCase()) ? text : quoteDouble(text)
}

/** JSON is YAML; what could deceive the eye is escaped. */
function quoteDouble(text: string): string {
  let quoted = ''
  for (const character of JSON.stringify(text)) {
    const code = character.codePointAt(0) ?? 0
    if (code <= 0x7e) quoted += character
    else if (code <= 0xffff) quoted += `\\u${code.toString(16).padStart(4, '0')}`
    else quoted += `\\U${code.toString(16).padStart(8, '0')}`
  }
  return quoted
}
