/** A server behind the gateway, as the operator wrote it down: a program that is started, or an address. */
import type { SecretReference } from 'rubicon-kernel'

export type NamedTexts = Readonly<Record<string, string | SecretReference>>

export type ProgramConfig = {
  readonly kind: 'program'
  /** The first is an absolute path; no shell is started. */
  readonly argv: readonly string[]
  /** All of its variables, beside those that name the user and the system. */
  readonly env: NamedTexts
  readonly cwd?: string
}

export type AddressConfig = {
  readonly kind: 'address'
  readonly url: string
  readonly headers: NamedTexts
  /** Where its name may lead; without it, where the address is written to be, and a name to the public network. */
  readonly addresses?: 'public' | 'private' | 'loopback'
}

export type ServerConfig = (ProgramConfig | AddressConfig) & {
  /** Which era of the protocol it speaks. It is said and not tried out: that would start a program twice. */
  readonly era: 'legacy' | 'modern'
  /** Whether its resources may be read, and its prompts be asked for: no, unless the operator says so. */
  readonly resources?: boolean
  readonly prompts?: boolean
}
