import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { sendFormOnKeys } from './send-form.ts'
import './dialog.css'

/** A box that may be ticked before it is not what is asked. */
const FIRST_FIELD = 'form :is(input:not([type="checkbox"], [type="radio"]), select, textarea)'

/** A question over the page. Escape closes it, Ctrl+Enter answers it; focus returns to where it was. */
export function Dialog({
  title,
  open,
  close,
  children,
}: {
  readonly title: string
  readonly open: boolean
  readonly close: () => void
  readonly children: ReactNode
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (open && !element.open) {
      element.showModal()
      // A question that takes text waits for it in its first field.
      element.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    }
    if (!open && element.open) element.close()
  }, [open])
  const answer = (event: KeyboardEvent): void =>
    sendFormOnKeys(event, dialog.current?.querySelector('form') ?? null)
  return (
    <dialog className="dialog" ref={dialog} aria-label={title} onClose={close} onKeyDown={answer}>
      {open ? (
        <>
          <header className="dialog-head">
            <h2>{title}</h2>
            <button type="button" className="plain" onClick={close}>
              Close
            </button>
          </header>
          {children}
        </>
      ) : null}
    </dialog>
  )
}
