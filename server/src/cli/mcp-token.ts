/**
 * `rubicon mcp token [AGENT]`: a token for MCP clients that come over HTTP. It is for the gateway's door and for one agent,
 * and replaces the one that the agent had.
 */
import { findCurrentContract } from 'rubicon-kernel'
import { loadMcpFile } from 'rubicon-mcp'
import { readAuthority } from 'rubicon-runtime/engine/authority'
import { issueMcpToken } from '../people/issue-token.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { findMcpFile } from './mcp-place.ts'
import { readFromStore } from './open.ts'
import { SYMBOLS } from './output.ts'

export async function makeMcpToken(call: CommandCall): Promise<ExitCode> {
  const { args, options, place, out } = call
  const agent = args[0] ?? unwrap(await loadMcpFile(findMcpFile(options))).agent
  const signs = await findRequiredSignature(call, agent)
  if (signs === true) throw new CliFailure(createSignatureFailure(agent))
  const { store, state, tenant } = place
  const stateOption = state === undefined ? {} : { stateDirectory: state }
  const token = issueMcpToken({ agent, tenant }, { store, ...stateOption })
  out.line(`${out.symbol(SYMBOLS.allowed)} MCP clients act as ${agent}`)
  out.line(`  token    ${token}`)
  if (signs === null)
    out.note(`${SYMBOLS.waiting} no contract of \`${agent}\` is deployed here yet`)
  out.note(
    `${SYMBOLS.info} it is shown once and stored as a hash; a running server accepts it at /mcp from now on, and the previous one is invalid`,
  )
  out.data({ agent, tenant, token })
  return EXIT.done
}

/** Null: nobody knows the agent yet, or there is no store to ask. */
async function findRequiredSignature(
  { place }: CommandCall,
  agent: string,
): Promise<boolean | null> {
  return readFromStore(place, async (store) => {
    const now = new Date().toISOString()
    const contract = findCurrentContract(await readAuthority(store), agent, now)?.contract
    return contract?.safety_rules.requires_signature ?? null
  }).catch(() => null)
}

function createSignatureFailure(agent: string): ConstructorParameters<typeof CliFailure>[0] {
  return {
    code: 'SIGNATURE_REQUIRED',
    summary: `the contract of \`${agent}\` asks for a signature with every proposal`,
    why: 'a token signs nothing',
    fix: 'use `rubicon mcp`, which signs with the key of the agent',
  }
}
