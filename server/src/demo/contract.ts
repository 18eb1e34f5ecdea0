/** Contracts of scenarios: only what matters in each is written out. */
import { type Contract, type JsonObject, parseContract } from 'rubicon-kernel'

export function buildContract(
  agent_id: string,
  kinds: readonly string[],
  more: JsonObject = {},
): Contract {
  const { permissions = {}, ...rest } = more
  const parsed = parseContract({
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id,
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2025-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: `Do the work of ${agent_id}, and nothing else.`,
    permissions: { policy_kinds: kinds, ...(permissions as JsonObject) },
    ...rest,
  })
  if (parsed.ok) return parsed.value
  throw new Error(parsed.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`).join('; '))
}
