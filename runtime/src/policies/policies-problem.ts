/** Why policies cannot be a rule set: they would not be recorded as what is judged by. */
import { collectPolicyTexts, type Failure, isIdentifier, LIMITS, type Policy } from 'rubicon-kernel'

export function findPoliciesProblem(policies: readonly Policy[]): Failure | null {
  if (policies.length > LIMITS.policies)
    return {
      code: 'POLICY_INVALID',
      summary: `there are more than ${LIMITS.policies} policies`,
      fix: 'put several rules into one policy',
    }
  const names = policies.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    return {
      code: 'POLICY_INVALID',
      summary: `two policies are called \`${twice}\``,
      why: 'what asks for a person is lifted by the name of its policy: one yes would be taken for two',
      fix: 'give each policy a name of its own',
    }
  const texts = Object.values(collectPolicyTexts(policies)).join('')
  if (texts.length > LIMITS.policyTexts)
    return {
      code: 'POLICY_INVALID',
      summary: `the policies have more than ${LIMITS.policyTexts} characters`,
      why: 'their text stands in the ledger, where it is kept for ever',
      fix: 'write fewer or shorter rules',
    }
  return policies.map(findPolicyProblem).find((problem) => problem !== null) ?? null
}

function findPolicyProblem({ name, version, applies_to }: Policy): Failure | null {
  if (!isText(name) || !isText(version))
    return {
      code: 'POLICY_INVALID',
      summary: 'a policy has no name, or no version',
      fix: 'give it both, as texts',
    }
  if (name.includes('@'))
    return {
      code: 'POLICY_INVALID',
      summary: `the policy \`${name}\` has an \`@\` in its name`,
      why: 'what it asks of a channel is lifted as NAME@CHANNEL: one name could be read as another',
      fix: 'give it another name',
    }
  if (applies_to === undefined || isKindList(applies_to)) return null
  return {
    code: 'POLICY_INVALID',
    summary: `\`applies_to\` of the policy \`${name}\` is no list of policy kinds, each of them once`,
    why: 'a rule for something that is no kind is a rule that never applies',
    fix: "name the kinds (`applies_to: ['REFUND']`), or leave it out: then it is for all of them",
  }
}

/** Policies come from modules, in which anything may stand. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isKindList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  return (
    value.every((kind) => typeof kind === 'string' && isIdentifier(kind)) &&
    new Set(value).size === value.length
  )
}
