/** What `npm run scenarios:everywhere` was asked for, or what is wrong with it and what there is. */
import { parseArgs } from 'node:util'

export type EverywhereOptions = {
  readonly json: boolean
  readonly http: boolean
  /** Names of scenarios; none: all. */
  readonly only: readonly string[]
  readonly stores: readonly string[]
}

export type EverywhereNames = {
  readonly scenarios: readonly string[]
  readonly stores: readonly string[]
}

const USAGE =
  'npm run scenarios:everywhere -- [--only NAME]… [--store memory|sqlite|postgres]… [--no-http] [--json]'

/** A text instead of options: to be shown, and nothing to be run. */
export function parseEverywhereOptions(
  args: readonly string[],
  names: EverywhereNames,
): EverywhereOptions | string {
  const read = readValues(args)
  if (typeof read === 'string') return `${read}\n${USAGE}`
  const { json, http, only, store } = read
  const stores = store.length === 0 ? names.stores : store
  const scenario = only.find((name) => !names.scenarios.includes(name))
  if (scenario !== undefined)
    return `there is no scenario \`${scenario}\`\n${USAGE}\nscenarios: ${names.scenarios.join(', ')}`
  const unknown = stores.find((name) => !names.stores.includes(name))
  if (unknown !== undefined) return `there is no store \`${unknown}\`\n${USAGE}`
  return { json, http, only, stores }
}

type ReadValues = {
  readonly json: boolean
  readonly http: boolean
  readonly only: readonly string[]
  readonly store: readonly string[]
}

function readValues(args: readonly string[]): ReadValues | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        json: { type: 'boolean', default: false },
        http: { type: 'boolean', default: true },
        only: { type: 'string', multiple: true, default: [] },
        store: { type: 'string', multiple: true, default: [] },
      },
    })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
