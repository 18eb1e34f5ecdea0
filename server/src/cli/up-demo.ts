/** The week that the company of `up --demo` has behind it, in a store in which there is nothing yet. */
import type { Runtime } from 'rubicon-runtime/compose'
import { isPostgresAddress } from 'rubicon-runtime/ports'
import type { Company } from '../demo/company/company.ts'
import { isCompanyStore } from '../demo/company/company-store.ts'
import { writeHistory } from '../demo/company/history.ts'
import type { CommandCall } from './call.ts'
import { CliFailure } from './failure.ts'
import { toKeyOptions } from './open.ts'
import { SYMBOLS } from './output.ts'
import type { RulesModule } from './rules-module.ts'
import type { TenantPlace } from './up-tenants.ts'

/** Not on a server, whose clock counts for all who use it: there the company begins today. */
export async function writeDemoHistory(
  call: CommandCall,
  place: TenantPlace,
  rules: RulesModule,
  company: Company | null,
): Promise<void> {
  if (company === null || isPostgresAddress(place.store)) return
  const { tenant, store, stateDirectory } = place
  const { capabilities, policies, topics = [], topologies = [] } = rules
  const options = {
    tenant,
    store,
    stateDirectory,
    ...toKeyOptions(call.place),
    capabilities,
    policies,
    topics,
    topologies,
  }
  if (await writeHistory(company, options, Date.now()))
    call.out.note(`${SYMBOLS.info} the company of the demo has a week behind it`)
}

/** Before anything of the company is deployed, and before its rules are agreed to. */
export async function assertCompanyStore(runtime: Runtime): Promise<void> {
  if (await isCompanyStore(runtime)) return
  throw new CliFailure({
    code: 'STORE_EXISTS',
    summary: 'there are agents in this store that are not of the demo company',
    why: 'the company would replace contracts of the same name, and use the tools of their agents',
    fix: 'leave `--demo` out, or name a store that does not exist yet: `--store sqlite:demo.db`',
  })
}
