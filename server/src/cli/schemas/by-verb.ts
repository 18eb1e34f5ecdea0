/** The schema of every verb's `--json`, by the words that are typed. */
import { ARCHIVES } from './archives.ts'
import { ARTIFACTS } from './artifacts.ts'
import { BUS } from './bus.ts'
import { CHANNELS } from './channels.ts'
import { CONTRACTS } from './contracts.ts'
import { ESCALATIONS } from './escalations.ts'
import { EVERYDAY } from './everyday.ts'
import { EVIDENCE } from './evidence.ts'
import { FLOWS } from './flows.ts'
import { KEYS } from './keys.ts'
import { LEDGER } from './ledger.ts'
import { MCP } from './mcp.ts'
import { MERGE_DRIVER } from './merge-driver.ts'
import { MONITORS } from './monitors.ts'
import { PERSONS } from './persons.ts'
import { failure } from './pieces.ts'
import { REPOSITORY } from './repository.ts'
import { buildClosedSchema, type Family, type OutputSchema } from './shape.ts'
import { SOURCES } from './sources.ts'
import { START } from './start.ts'
import { TOOLS } from './tools.ts'
import { WRITS } from './writs.ts'

/** Not a verb: what each of them prints when it could not do its work. */
const ERROR: Family = {
  error: {
    prints: 'any verb that could not run: what, why and how to fix it',
    shape: buildClosedSchema({ error: failure }),
  },
}

export const PRINTED: Family = {
  ...START,
  ...EVERYDAY,
  ...EVIDENCE,
  ...LEDGER,
  ...ARCHIVES,
  ...CONTRACTS,
  ...KEYS,
  ...PERSONS,
  ...WRITS,
  ...FLOWS,
  ...ESCALATIONS,
  ...MONITORS,
  ...BUS,
  ...SOURCES,
  ...CHANNELS,
  ...TOOLS,
  ...MCP,
  ...ARTIFACTS,
  ...MERGE_DRIVER,
  ...REPOSITORY,
  ...ERROR,
}

/** A whole document, which needs no other. */
export function findVerbSchema(verb: string): OutputSchema | undefined {
  // What was typed may be `constructor`.
  const printed = Object.hasOwn(PRINTED, verb) ? PRINTED[verb] : undefined
  if (printed === undefined) return undefined
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...printed.shape,
    // Of the verb, also where what it prints has a name of its own.
    title: verb === 'error' ? 'rubicon --json, failed' : `rubicon ${verb} --json`,
    description: printed.prints,
  }
}
