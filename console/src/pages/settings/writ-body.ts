/** What a writ says, as far as it is shown. Writs of our own server are what it signed. */
import type { Writ } from 'rubicon-agents/client'

export type WritSays = {
  readonly subject: string
  readonly audience: string
  readonly parent: string | null
  readonly kinds: readonly string[]
  readonly budget: readonly (readonly [measure: string, amount: string])[]
  readonly from: string
  readonly until: string
  readonly mayDelegate: boolean
}

type Body = {
  readonly subject?: string
  readonly audience?: string
  readonly parent?: string
  readonly scopes?: readonly { readonly kind?: string }[]
  readonly budget?: Readonly<Record<string, unknown>>
  readonly window?: { readonly not_before?: string; readonly expires_at?: string }
  readonly delegation?: { readonly may_delegate?: boolean }
}

export function parseWrit({ body }: Writ): WritSays {
  const said = body as Body
  return {
    subject: said.subject ?? '',
    audience: said.audience ?? '',
    parent: said.parent ?? null,
    kinds: (said.scopes ?? []).map(({ kind = '*' }) => kind),
    budget: Object.entries(said.budget ?? {}).map(([name, amount]) => [name, String(amount)]),
    from: said.window?.not_before ?? '',
    until: said.window?.expires_at ?? '',
    mayDelegate: said.delegation?.may_delegate ?? false,
  }
}
