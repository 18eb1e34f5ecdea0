import { type ReactNode, useEffect, useRef } from 'react'
import type { Session } from 'rubicon-agents/client'
import { SignInForm } from './sign-in-form.tsx'

/** The session ended while somebody was at work: they sign in over the page, and find it as it was. */
export function SignedOutOver({
  entered,
}: {
  readonly entered: (session: Session) => void
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      className="dialog stack"
      ref={dialog}
      aria-label="signed out"
      onCancel={(event) => event.preventDefault()}
    >
      <h2>Your session has ended</h2>
      <p>What you typed is kept. Sign in to continue.</p>
      <SignInForm entered={entered} />
    </dialog>
  )
}
