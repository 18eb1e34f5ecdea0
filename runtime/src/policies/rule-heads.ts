/** What the head of each rule says: for whoever asks whom a policy is about, without judging anything. */
import { isObject, type JsonValue, type Policy } from 'rubicon-kernel'
import { askDraft } from './cedar-evaluator.ts'
import { findHeadActions } from './cedar-names.ts'
import { cutStatements } from './cedar-statements.ts'

export type RuleHead = {
  readonly id: string
  readonly line: number
  readonly effect: 'permit' | 'forbid'
  /** Who is asked where it forbids; null: nobody is. */
  readonly channel: string | null
  readonly reason: string | null
  /** Null: all of them, or the head does not say. */
  readonly actions: readonly string[] | null
  readonly agents: readonly string[] | null
}

/** Policies stay what they were loaded as. */
const known = new WeakMap<Policy, readonly RuleHead[]>()

/** Of a policy that was loaded; one in code has no rules that can be read. */
export function listRuleHeads(policy: Policy): readonly RuleHead[] {
  const before = known.get(policy)
  if (before !== undefined) return before
  const heads = readHeads(policy)
  known.set(policy, heads)
  return heads
}

function readHeads({ text, rules = [] }: Policy): readonly RuleHead[] {
  if (text === undefined) return []
  return cutStatements(text).flatMap((statement, index) => {
    const rule = rules[index]
    const parsed = askDraft((evaluator) => evaluator.policyToJson(statement.text))
    if (rule === undefined || parsed.type === 'failure') return []
    const { effect, annotations = {} } = parsed.json
    const tree = parseTree(parsed.json)
    return [
      {
        id: rule.id,
        line: rule.line,
        effect,
        channel: annotations.require_approval ?? null,
        reason: annotations.reason ?? null,
        actions: findHeadActions(tree),
        agents: findHeadAgents(tree),
      },
    ]
  })
}

/** The tree is JSON as the evaluator writes it. */
function parseTree(json: unknown): JsonValue {
  return json as JsonValue
}

function findHeadAgents(json: JsonValue): readonly string[] | null {
  const principal = isObject(json) ? json.principal : undefined
  if (!isObject(principal) || !isObject(principal.entity)) return null
  const { id } = principal.entity
  return typeof id === 'string' ? [id] : null
}
