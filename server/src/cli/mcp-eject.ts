/** `rubicon mcp eject`: the client's file as it was before `rubicon mcp init`. */
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { putBackClientFile } from './mcp-setup/client-backup.ts'
import { findClientFile } from './mcp-setup/setup-source.ts'
import { SYMBOLS } from './output.ts'

export async function removeGateway(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { file, kept } = putBackClientFile(findClientFile(call))
  out.line(`${out.symbol(SYMBOLS.allowed)} ${file} is as it was before`)
  if (kept !== null)
    out.line(`${out.symbol(SYMBOLS.waiting)} it was changed since; that file is ${kept}`)
  out.note(
    `${SYMBOLS.waiting} the client calls its servers directly again; the MCP file, the contract and the key stay`,
  )
  out.data({ file, kept })
  return EXIT.done
}
