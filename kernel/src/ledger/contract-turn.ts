import { formatInstant, parseInstant } from '../canonical/time.ts'
import type { DeployedContract } from './authority.ts'

/**
 * The next moment at which another of these versions may be in force, if authority stays as it is;
 * undefined: there is none. What is decided on the version of now must be durable before.
 */
export function findContractTurn(
  versions: readonly Pick<DeployedContract, 'contract'>[],
  now: string,
): string | undefined {
  const at = parseInstant(now) ?? 0
  const ahead = versions
    .flatMap(({ contract }) => [contract.effective_from, contract.effective_until ?? ''])
    .map((text) => parseInstant(text) ?? 0)
    .filter((turn) => turn > at)
  return ahead.length === 0 ? undefined : formatInstant(Math.min(...ahead))
}
