/**
 * The kernel against the reference interpreter: the same inputs, near every boundary, from a seed.
 *
 * Each input is the base case with none to three changes. The two must give the same verdict, the same
 * code, the same amounts where a budget does not suffice, the same flags, and the same end to what may be
 * dispatched; a disagreement means that one of them does not
 * follow the design.
 */
import {
  compile,
  isObject,
  type JsonObject,
  REASON_CODES,
  REASONS,
  type ReasonCode,
} from 'rubicon-kernel'
import { createBaseDraft, type Draft, type Sealed, seal } from './differential/case.ts'
import { type Chance, createChance } from './differential/chance.ts'
import { APPROVAL } from './differential/mutate-approval.ts'
import { ATOM, nameAtom } from './differential/mutate-atom.ts'
import { KIND_AND_SIGNATURE, REPEAT, SCOPE, WINDOW } from './differential/mutate-authority.ts'
import { ARGUMENTS, PRECONDITIONS } from './differential/mutate-conduct.ts'
import { BUDGET, CAPABILITY, DELEGATION } from './differential/mutate-delegation.ts'
import { LIMITS } from './differential/mutate-limits.ts'
import { POLICY } from './differential/mutate-policy.ts'
import { RESERVED } from './differential/mutate-reserved.ts'
import { RULES } from './differential/mutate-rules.ts'
import type { Mutation } from './differential/mutation.ts'
import { fillProposal } from './reference/filled-in.ts'
import { interpret, type Opinion } from './reference/interpret.ts'

export type DifferentialOptions = {
  readonly cases: number
  readonly seed: number
  /** Another second opinion, so that a test can see that a difference is found. */
  readonly opinion?: (input: Sealed) => Opinion
  readonly progress?: (done: number, of: number) => void
}

export type Disagreement = {
  readonly case: number
  /** The changes that made the input. */
  readonly changes: readonly string[]
  readonly kernel: string
  readonly reference: string
}

export type DifferentialReport = {
  readonly cases: number
  readonly by_code: Readonly<Record<string, number>>
  readonly disagreements: readonly Disagreement[]
}

const REPORTED = 100

/** Changes by where they bite. Late groups are drawn as often as early ones. */
const GROUPS: readonly (readonly [string, Mutation][])[] = [
  REPEAT,
  KIND_AND_SIGNATURE,
  WINDOW,
  SCOPE,
  DELEGATION,
  CAPABILITY,
  BUDGET,
  ARGUMENTS,
  LIMITS,
  PRECONDITIONS,
  POLICY,
  RESERVED,
  RULES,
  APPROVAL,
  ATOM,
].map((group) => Object.entries(group))

/** How many changes there are to draw from. */
export const MUTATIONS: number = GROUPS.reduce((sum, group) => sum + group.length, 0)

export function runDifferentialProof(options: DifferentialOptions): DifferentialReport {
  const { cases, seed, opinion = computeSecondOpinion } = options
  const chance = createChance(seed)
  const counts = new Map<string, number>()
  const disagreements: Disagreement[] = []
  for (let n = 0; n < cases; n += 1) {
    options.progress?.(n, cases)
    const { input, changes } = drawCase(chance)
    const kernel = decide(() => computeKernelOpinion(input))
    const reference = decide(() => opinion(input))
    counts.set(kernel.word, (counts.get(kernel.word) ?? 0) + 1)
    if (formatDecided(kernel) !== formatDecided(reference) && disagreements.length < REPORTED)
      disagreements.push({
        case: n,
        changes,
        kernel: formatDecided(kernel),
        reference: formatDecided(reference),
      })
  }
  const by_code = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  return { cases, by_code, disagreements }
}

function drawCase(chance: Chance): {
  readonly input: Sealed
  readonly changes: readonly string[]
} {
  const { draft, changes } = drawDraft(chance)
  return { input: nameAtom(seal(draft), draft.atoms), changes }
}

/** Without the atom, whatever was drawn of one. */
export function drawPlainCase(chance: Chance): Sealed {
  return seal(drawDraft(chance).draft)
}

function drawDraft(chance: Chance): {
  readonly draft: Draft
  readonly changes: readonly string[]
} {
  const draft = createBaseDraft()
  const changes: string[] = []
  for (let left = chance.below(4); left > 0; left -= 1) {
    const group = GROUPS[chance.below(GROUPS.length)] ?? []
    const [name, mutate] = group[chance.below(group.length)] ?? ['none', () => undefined]
    mutate(draft, chance)
    changes.push(name)
  }
  return { draft, changes }
}

function computeKernelOpinion(input: Sealed): Opinion {
  if (input.unreadable !== null) return { verdict: 'rejected', code: input.unreadable }
  const verdict = compile(input)
  if (verdict.kind === 'staged') {
    const flagged = verdict.flagged.map(({ id }) => id)
    const { dispatch_before } = verdict.intent
    return { verdict: 'staged', code: null, dispatch_before, flagged }
  }
  const short =
    verdict.kind === 'rejected' ? formatShortfall(verdict.code, verdict.details) : undefined
  const code = 'code' in verdict ? verdict.code : null
  return { verdict: verdict.kind, code, ...(short === undefined ? {} : { short }) }
}

/** The amounts that a refusal for want of budget names, as the reference writes them. */
function formatShortfall(code: ReasonCode, { amounts }: JsonObject): string | undefined {
  if (code !== 'BUDGET_EXCEEDED' && code !== 'BUDGET_EXCEEDED_BY_PARAMS') return undefined
  if (amounts === undefined || !isObject(amounts)) return ''
  const lines = Object.entries(amounts).map(([measure, said]) => {
    const { asked, left, limit, unit } = isObject(said) ? said : {}
    return `${measure} asked ${asked} left ${left} limit ${limit} ${unit}`
  })
  return lines.sort().join('; ')
}

/** From the document as it was sent: what it lacks is filled in, or refused, a second time too. */
function computeSecondOpinion(input: Sealed): Opinion {
  const filled = fillProposal(input.sent, input.facts.value)
  if (filled === null) return { verdict: 'rejected', code: 'SCHEMA_INVALID' }
  return interpret({ ...input, proposal: { ...input.proposal, ...filled } }, REASONS)
}

type Decided = {
  readonly word: string
  readonly before?: string
  readonly flagged?: string
  readonly short?: string
}

function formatDecided({ word, before, flagged = '', short }: Decided): string {
  if (short !== undefined) return `${word}: ${short}`
  return before === undefined ? word : `${word} before ${before} ${flagged}`.trimEnd()
}

/** As one word: `staged`, `repeated`, `RBAC_DENIED`, `suspended LIMIT_EXCEEDED`, or what was thrown. */
function decide(judge: () => Opinion): Decided {
  try {
    const { verdict, code, dispatch_before: before, flagged = [], short } = judge()
    if (code !== null) {
      const word = verdict === 'rejected' ? code : `${verdict} ${code}`
      return { word, ...(short === undefined ? {} : { short }) }
    }
    return {
      word: verdict,
      flagged: flagged.join(' '),
      ...(before === undefined ? {} : { before }),
    }
  } catch (error) {
    return { word: `threw: ${error instanceof Error ? error.message : 'something'}` }
  }
}

/** The codes that compile can give and this report does not hold. Those of the engine are not its. */
export function listMissingCodes({ by_code }: DifferentialReport): readonly ReasonCode[] {
  const seen = new Set(Object.keys(by_code).map((word) => word.split(' ').at(-1)))
  return REASON_CODES.filter((code) => isCompiled(code) && !seen.has(code))
}

/** Two codes of the repeat check are decided before there are facts to compile. */
const BY_ENGINE: readonly ReasonCode[] = ['FLOW_UNKNOWN', 'FLOW_CANCELLED']

function isCompiled(code: ReasonCode): boolean {
  return COMPILED.has(REASONS[code].producer) && !BY_ENGINE.includes(code)
}

const COMPILED: ReadonlySet<string> = new Set([
  'repeat',
  'kind',
  'signature',
  'window',
  'scope',
  'capability',
  'budget',
  'arguments',
  'preconditions',
  'policy',
  'emission',
])
