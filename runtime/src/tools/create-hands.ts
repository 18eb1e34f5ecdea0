import { executeCommand } from './command/command-hands.ts'
import type { AllowedExecutable } from './command/executable.ts'
import type { ManifestHands } from './hands.ts'
import type { HttpAllowance } from './http/allowance.ts'
import { executeHttp } from './http/http-hands.ts'
import type { ConnectionOptions } from './http/open-connection.ts'
import type { ResolveHost } from './http/resolve-host.ts'
import { createNotSentError } from './not-sent.ts'
import type { SecretGrants } from './secret-grants.ts'

/** What the operator lets manifest tools reach, start and use. */
export type ToolAllowances = {
  readonly http: readonly HttpAllowance[]
  readonly commands: readonly AllowedExecutable[]
  readonly secrets: SecretGrants
}

/** Only the gateway speaks with MCP servers: it starts them, and holds their definitions against the pins. */
export const NO_GATEWAY = 'an MCP server is behind the gateway, and nowhere else'

export type HandsOptions = {
  readonly resolve?: ResolveHost
  readonly connection?: ConnectionOptions
}

export function createManifestHands(
  { http, commands, secrets }: ToolAllowances,
  options: HandsOptions = {},
): ManifestHands {
  return {
    async execute(executor, call, io) {
      if ('http' in executor)
        return executeHttp({ ...options, allowed: http, secrets }, executor.http, call, io)
      if ('command' in executor)
        return executeCommand({ allowed: commands, secrets }, executor.command, call, io)
      throw createNotSentError('TOOL_DENIED', NO_GATEWAY)
    },
  }
}
