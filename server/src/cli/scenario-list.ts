/** The scenarios that are there: those of the repository, and the one of the quickstart, which every package has. */
import { findNearest } from 'rubicon-kernel'
import type { ListedScenario } from '../demo/stage.ts'
import { CliFailure } from './failure.ts'
import { loadRepositoryPackage, SCENARIOS_PACKAGE } from './repository-verb.ts'

/** Throws outside of the repository. */
export async function loadScenarios(verb: string): Promise<readonly ListedScenario[]> {
  return parseScenarios(await loadRepositoryPackage(verb, SCENARIOS_PACKAGE))
}

/** What can be opened: outside of the repository, the one of the package. */
export async function loadOpenable(): Promise<readonly ListedScenario[]> {
  return [REFUNDS, ...(await loadScenarios('open').catch(() => []))]
}

const REFUNDS: ListedScenario = {
  name: 'quickstart',
  summary: 'a refunds bot that asks four times: accepted, rejected, escalated, repeated',
  load: async () => (await import('../demo/refunds.ts')).refunds,
}

/** The workspace is held against this type where it is written. */
function parseScenarios({ SCENARIOS }: Record<string, unknown>): readonly ListedScenario[] {
  return Array.isArray(SCENARIOS) ? SCENARIOS : []
}

export function findScenario(
  name: string,
  scenarios: readonly ListedScenario[],
  list: string,
): ListedScenario {
  const listed = scenarios.find((scenario) => scenario.name === name)
  if (listed !== undefined) return listed
  const close = findNearest(
    name,
    scenarios.map((scenario) => scenario.name),
  )
  throw new CliFailure({
    code: 'SCENARIO_UNKNOWN',
    summary: `there is no demo \`${name}\``,
    fix: close === undefined ? `see \`${list}\`` : `did you mean \`${close}\`?`,
  })
}
