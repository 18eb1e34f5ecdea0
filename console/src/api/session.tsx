/**
 * Who is signed in, and the client that asks in their name. The token is exchanged for a cookie that
 * scripts cannot read; what changes something carries the word of the session beside it.
 */
import { createContext, type ReactNode, useContext } from 'react'
import { type Client, createClient, type Session } from 'rubicon-agents/client'

export type SignedIn = { readonly client: Client; readonly session: Session }

const SignedInContext = createContext<SignedIn | null>(null)

export function SignedInProvider({
  signedIn,
  children,
}: {
  readonly signedIn: SignedIn
  readonly children: ReactNode
}): ReactNode {
  return <SignedInContext value={signedIn}>{children}</SignedInContext>
}

export function useSession(): SignedIn {
  const signedIn = useContext(SignedInContext)
  if (signedIn === null) throw new Error('a page is shown to whoever is signed in')
  return signedIn
}

export function useClient(): Client {
  return useSession().client
}

/** Without a session: to sign in, and to ask who one is. */
export const stranger: Client = createClient({})

/** Whatever is asked: an answer that nobody is signed in is heard here, once for all pages. */
export function createSessionClient({ csrf }: Session, lost: () => void): Client {
  return createClient({
    headers: () => ({ 'rubicon-csrf': csrf }),
    async fetch(input, options) {
      const response = await fetch(input, options)
      if (response.status === 401) lost()
      return response
    },
  })
}

/** A new one for each intention. */
export function createIdempotencyKey(): string {
  return crypto.randomUUID()
}
