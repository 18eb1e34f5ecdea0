import { type SecretSource, SecretUnavailable } from '../../ports/secrets.ts'
import { checkSecret } from './secret-value.ts'

/** Only variables that were meant for tools can be named by a tool: not `PATH`, not the keys of the runtime. */
export const SECRET_PREFIX = 'RUBICON_SECRET_'

export function createEnvironmentSecret(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SecretSource {
  return {
    async read() {
      const value = environment[`${SECRET_PREFIX}${name}`]
      if (value === undefined) throw new SecretUnavailable(`\`${SECRET_PREFIX}${name}\` is not set`)
      return checkSecret(value)
    },
  }
}
