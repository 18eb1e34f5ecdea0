/** Whose word counts when something is decided. */
import type { CompileInput, StateFact } from 'rubicon-kernel'

const RANKS = ['agent', 'external', 'operator', 'trusted']

/** The fact at a path, if it counts. */
export function findBelieved(input: CompileInput, path: string): StateFact | undefined {
  return input.facts.value.state.find((fact) => fact.path === path && isBelieved(input, fact))
}

/** An operator's word and better; what is less only where capability or contract say so. */
function isBelieved(
  { proposal, rules, contract }: CompileInput,
  { path, label }: StateFact,
): boolean {
  const widened = [
    ...Object.entries(rules.capability(proposal.policy_kind)?.description.accepts ?? {}),
    ...Object.entries(contract?.permissions.accepts ?? {}),
  ].filter(([pattern]) => isPathNamed(pattern, path))
  const enough = ['operator', ...widened.map(([, least]) => least)].map((one) => RANKS.indexOf(one))
  return RANKS.indexOf(label) >= Math.min(...enough)
}

function isPathNamed(pattern: string, path: string): boolean {
  const stem = pattern.replace(/\*$/, '')
  return stem === pattern ? path === pattern : path.slice(0, stem.length) === stem
}
