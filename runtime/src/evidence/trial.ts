/**
 * What would have been decided: recorded decisions judged by the law in force with something changed.
 * Nothing is recorded and nothing is sent; the facts are those of the record.
 */
import {
  type Authority,
  type Contract,
  isObject,
  type JsonObject,
  type JsonValue,
  type Policy,
  type PolicyAnswer,
  type PolicyInput,
  type Result,
  type Rules,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../ports/store.ts'
import { Coverage, type RuleCoverage } from './coverage.ts'
import { type CaseOutcome, CaseReader, type DecisionCase } from './decision-case.ts'
import { type Again, isSame, judgeAgain, toApprovedLaw } from './judge-case.ts'
import { readPastFlows } from './past-decisions.ts'
import { replaceContract } from './recompile.ts'

export type Trial = {
  /** In place of the recorded one, for decisions of its agent. */
  readonly contract: Contract | null
  /** In place of the one of its name, or after all others. */
  readonly policy: Policy | null
  /** What that policy says, where it is asked elsewhere: it may take longer than those who decide have. */
  readonly answerOf?: (input: PolicyInput) => Promise<PolicyAnswer>
  /** Of the proposal. */
  readonly params?: JsonObject
  /** Facts by path, in place of what was read there. */
  readonly state?: Readonly<Record<string, JsonValue>>
}

export type Flip = {
  readonly entry: StoredEntry
  readonly agent_id: string
  readonly policy_kind: string
  readonly recorded: CaseOutcome
  readonly now: CaseOutcome
}

export type LastTried = {
  readonly decisions: number
  readonly flips: readonly Flip[]
  /** Decisions that cannot be judged again: refused before they were compiled, or erased. */
  readonly skipped: number
  /** What each rule had to do with it. */
  readonly coverage: readonly RuleCoverage[]
  /** When the oldest of them was made. */
  readonly since: string | null
}

/**
 * The same decision with what is changed. A policy that is asked elsewhere cannot be asked in the midst of
 * a judgement: the first one finds out what it would be asked, the second is told what it says.
 */
export async function tryCase(
  found: DecisionCase,
  trial: Trial,
  law: Rules,
): Promise<Result<Again, string>> {
  const { policy, answerOf } = trial
  const judge = (tried: Policy | null): Result<Again, string> => {
    const policies = applyPolicy(law.policies, tried)
    return judgeAgain(applyTrial(found, trial), { ...toApprovedLaw(law, found.facts), policies })
  }
  if (policy === null || answerOf === undefined) return judge(policy)
  const asked: PolicyInput[] = []
  const unanswered = judge({
    ...policy,
    evaluate(input) {
      asked.push(input)
      return { decision: null }
    },
  })
  const [input] = asked
  if (input === undefined) return unanswered
  const answer = await answerOf(input)
  return judge({ ...policy, evaluate: () => answer })
}

/** The last decisions, of everybody or of one agent; `pause` lets others go first. */
export async function tryLast(
  store: Store,
  { authority, law }: { readonly authority: Authority; readonly law: Rules },
  trial: Trial,
  { last, agent }: { readonly last: number; readonly agent?: string },
  pause: () => Promise<void>,
): Promise<LastTried> {
  const reader = new CaseReader(store, authority)
  const coverage = new Coverage(applyPolicy(law.policies, trial.policy), trial.contract)
  const flips: Flip[] = []
  let [decisions, skipped] = [0, 0]
  let since: string | null = null
  const summariseTrial = (): LastTried => {
    return { decisions, flips, skipped, coverage: coverage.listRules(), since }
  }
  for await (const past of readPastFlows(store, agent === undefined ? {} : { agent })) {
    await pause()
    for (const entry of past.entries) reader.see(entry)
    for (const { entry } of past.decisions) {
      if (decisions + skipped >= last) return summariseTrial()
      // Between any two: one flow may hold as many as are asked for.
      await pause()
      since = entry.envelope.at
      const found = await reader.read(entry)
      const again = found?.ok === true ? await tryCase(found.value, trial, law) : null
      if (found?.ok !== true || again?.ok !== true) {
        skipped += 1
        continue
      }
      decisions += 1
      const { recorded, now, verdict } = again.value
      const { agent_id } = past.flow
      const policy_kind = getPolicyKind(found.value)
      coverage.add(agent_id, policy_kind, verdict)
      if (!isSame(recorded, now)) flips.push({ entry, agent_id, policy_kind, recorded, now })
    }
  }
  return summariseTrial()
}

/** What it asked for, if it can be told. */
function getPolicyKind({ proposal }: Pick<DecisionCase, 'proposal'>): string {
  const kind = isObject(proposal) ? proposal.policy_kind : undefined
  return typeof kind === 'string' ? kind : ''
}

function applyPolicy(policies: readonly Policy[], policy: Policy | null): readonly Policy[] {
  if (policy === null) return policies
  const replaces = policies.some(({ name }) => name === policy.name)
  if (!replaces) return [...policies, policy]
  return policies.map((one) => (one.name === policy.name ? policy : one))
}

/** The case as it is tried. */
export function applyTrial(
  found: DecisionCase,
  { contract, params, state = {} }: Trial,
): DecisionCase {
  const { proposal, facts } = found
  const changed = replaceContract(found, contract === null ? [] : [contract])
  return {
    ...changed,
    proposal: params !== undefined && isObject(proposal) ? { ...proposal, params } : proposal,
    facts: {
      ...facts,
      state: facts.state.map((fact) => {
        const value = Object.hasOwn(state, fact.path) ? state[fact.path] : undefined
        return value === undefined ? fact : { ...fact, value }
      }),
    },
  }
}
