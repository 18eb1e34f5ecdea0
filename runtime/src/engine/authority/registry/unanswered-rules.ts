import {
  type Authority,
  type CapabilityDescription,
  type Contract,
  findUnansweredRules,
  isReserved,
} from 'rubicon-kernel'

/** A rule of a contract that refuses everything of a kind, since its capability does not answer it. */
export type UnansweredRule = {
  readonly policy_kind: string
  /** Its path in the contract; null: no capability of this kind is known, and nobody can say. */
  readonly rule: string | null
}

/** By the descriptions that the rules in force hold. */
export function findUnansweredInForce(
  { rules }: Pick<Authority, 'rules'>,
  contract: Contract,
): readonly UnansweredRule[] {
  return findUnansweredAmong(rules?.capabilities ?? [], contract)
}

export function findUnansweredAmong(
  capabilities: readonly CapabilityDescription[],
  contract: Contract,
): readonly UnansweredRule[] {
  const { policy_kinds } = contract.permissions
  return policy_kinds.flatMap((policy_kind): readonly UnansweredRule[] => {
    const description = capabilities.find(({ kind }) => kind === policy_kind)
    if (description !== undefined)
      return findUnansweredRules(contract, policy_kind, description).map((rule) => {
        return { policy_kind, rule }
      })
    return isReserved(policy_kind) || !isBound(contract, policy_kind)
      ? []
      : [{ policy_kind, rule: null }]
  })
}

/** Whether a kind has rules that somebody has to answer. */
function isBound(contract: Contract, policyKind: string): boolean {
  return findUnansweredRules(contract, policyKind, NOTHING).length > 0
}

const NOTHING = { scopes: {}, measures: [] }

/** For people. */
export function formatUnansweredRule({ policy_kind, rule }: UnansweredRule): string {
  return rule === null
    ? `no capability of \`${policy_kind}\` is known yet: it must answer what the contract asks of it`
    : `\`${policy_kind}\` is always refused: its capability has no value for \`${rule}\` (a rule for other kinds needs \`applies_to\`)`
}
