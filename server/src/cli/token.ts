/**
 * `rubicon token [NAME]`: a token in place of one that was lost. It needs no capabilities and no store:
 * people are kept in the state directory, and a server that runs looks there.
 */
import { readAuthority } from 'rubicon-runtime/engine/authority'
import { issueToken } from '../people/issue-token.ts'
import { SOURCE_ROLE } from '../people/principal.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { readFromStore } from './open.ts'
import { SYMBOLS } from './output.ts'
import { findRunningServer } from './running-server.ts'
import { reachOf } from './up-people.ts'

/** Whoever registers it may do so later; there may be no store yet. */
async function tellUnregistered({ place, out }: CommandCall, name: string): Promise<void> {
  const known = await readFromStore(place, async (store) => {
    return (await readAuthority(store)).sources.byId.has(name)
  }).catch(() => null)
  if (known === true) return
  const add = `rubicon source add ${name} --label LABEL --paths PATHS`
  out.note(`${SYMBOLS.waiting} no source \`${name}\` is registered here: ${add}`)
}

/** Of the server that runs on this store; empty: none does, or it does not answer. The token is made all the same. */
async function findConsole({ place }: CommandCall): Promise<string> {
  const running = await findRunningServer(place).catch(() => null)
  return running?.url ?? ''
}

export async function makeToken(call: CommandCall): Promise<ExitCode> {
  const { args, place, out } = call
  const [name] = args
  const whose = { ...(name === undefined ? {} : { name }), ...reachOf(call, 'role') }
  const { store, state } = place
  const stateOption = state === undefined ? {} : { stateDirectory: state }
  const { person, token } = issueToken(whose, { store, ...stateOption })
  out.line(`${out.symbol(SYMBOLS.allowed)} ${person.name} (${person.roles.join(', ')})`)
  out.line(`  token    ${token}`)
  const url = await findConsole(call)
  if (url !== '') out.line(`  console  ${url}`)
  out.note(
    `${SYMBOLS.info} it is shown once and stored as a hash; a running server accepts it from now on, and the previous one is invalid`,
  )
  const { roles, tenants = null } = person
  if (roles.includes(SOURCE_ROLE)) await tellUnregistered(call, person.name)
  out.data({ name: person.name, roles, tenants, token })
  return EXIT.done
}
