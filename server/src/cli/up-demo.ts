/** What the company of `up --demo` has behind it, in a store in which there is nothing yet, and the project that its developers work on. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime } from 'rubicon-runtime/compose'
import { isPostgresAddress } from 'rubicon-runtime/ports'
import { askCarrier } from '../demo/company/carrier/parcels.ts'
import type { Company } from '../demo/company/company.ts'
import { isCompanyStore } from '../demo/company/company-store.ts'
import { writeHistory } from '../demo/company/history.ts'
import { PROJECT_PLAN_MS, PROJECT_SCHEMAS } from '../demo/company/project/files.ts'
import { playProject } from '../demo/company/project/work.ts'
import { createReadingEngine } from './as-reader.ts'
import type { CommandCall } from './call.ts'
import { escapeText } from './escape-text.ts'
import { CliFailure } from './failure.ts'
import { parseSqlitePath, toKeyOptions } from './open.ts'
import { SYMBOLS } from './output.ts'
import type { RulesModule } from './rules-module.ts'
import type { UpGateway } from './up-mcp.ts'
import type { TenantPlace } from './up-tenants.ts'

export type Stoppable = { stop(): Promise<void> }

export type DemoOfUp = {
  readonly company: Company
  /** The folder of its project; null: its developers have nothing to work on. */
  readonly project: string | null
  /** Whether the MCP server of its carrier stands behind the gateway. */
  readonly hasCarrier: boolean
}

/**
 * Beside the keys, where no name of an artifact leads. None where somebody names a folder of their own, which is theirs alone, and
 * none where others carry out what is decided: the files would be on another machine.
 */
export function chooseDemoProject(
  { stateDirectory, executors }: TenantPlace,
  named: string | undefined,
): Required<Pick<TenantPlace, 'artifacts'>> | null {
  if (named !== undefined || executors !== 'inline') return null
  const files = join(stateDirectory, 'demo-project')
  return { artifacts: { files, schemas: PROJECT_SCHEMAS, planMs: PROJECT_PLAN_MS } }
}

export function makeDemoProject(project: string | null): void {
  if (project !== null) mkdirSync(project, { recursive: true, mode: 0o700 })
}

/** While the server serves: a parser takes longer to start than whoever looks at the demo wants to wait. */
export function startDemoProject(
  { out }: CommandCall,
  runtime: Runtime,
  project: string | null,
): Stoppable {
  let isStopped = false
  const played =
    project === null ? Promise.resolve() : playProject(runtime, project, () => isStopped)
  const ended = played.catch((error) => {
    out.note(`${SYMBOLS.rejected} the project of the demo: ${escapeText(String(error))}`)
  })
  return {
    async stop() {
      isStopped = true
      await ended
    },
  }
}

/** The gateway of the demo, in front of a server that ships with it. None where others carry out what is decided: it runs here. */
export async function openDemoGateway({
  stateDirectory,
  executors,
}: TenantPlace): Promise<UpGateway | null> {
  if (executors !== 'inline') return null
  const [{ openUpGateway }, { writeCarrierFiles }] = await Promise.all([
    import('./up-mcp.ts'),
    import('../demo/company/carrier/write-carrier-files.ts'),
  ])
  return openUpGateway(writeCarrierFiles(join(stateDirectory, 'demo-mcp')))
}

/** While the server serves: the program of the carrier is started by the first who asks it. */
export function askDemoCarrier(
  { out }: CommandCall,
  runtime: Runtime,
  hasCarrier: boolean,
): Stoppable {
  let isStopped = false
  const asked = hasCarrier ? askCarrier(runtime, () => isStopped) : Promise.resolve()
  const ended = asked.catch((error) => {
    out.note(`${SYMBOLS.rejected} the carrier of the demo: ${escapeText(String(error))}`)
  })
  return {
    async stop() {
      isStopped = true
      await ended
    },
  }
}

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
    ...(place.artifacts === undefined ? {} : { artifacts: place.artifacts }),
  }
  if (await writeHistory(company, options, Date.now()))
    call.out.note(`${SYMBOLS.info} the company of the demo has a week behind it`)
}

/**
 * Over the store opened for reading, before anything of the company is written: neither its rules nor a folder of its
 * files are left in the store of somebody else. What cannot be read is opened in a moment, and refused there.
 */
export async function assertNobodyElses({ place }: CommandCall, first: TenantPlace): Promise<void> {
  const { store, tenant, stateDirectory: state } = first
  const path = parseSqlitePath(store)
  if (path !== undefined && !existsSync(path)) return
  const reading = await createReadingEngine({ ...place, store, tenant, state }).catch(() => null)
  if (reading === null) return
  try {
    await assertCompanyStore(reading)
  } finally {
    await reading.close()
  }
}

/** Again when it is open: somebody may have begun to work in it meanwhile. */
export async function assertCompanyStore(runtime: Pick<Runtime, 'engine'>): Promise<void> {
  if (await isCompanyStore(runtime)) return
  throw new CliFailure({
    code: 'STORE_EXISTS',
    summary: 'there are agents in this store that are not of the demo company',
    why: 'the company would replace contracts of the same name, and use the tools of their agents',
    fix: 'leave `--demo` out, or name a store that does not exist yet: `--store sqlite:demo.db`',
  })
}
