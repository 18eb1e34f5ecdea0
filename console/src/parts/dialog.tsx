import { type ReactNode, useEffect, useRef } from 'react'
import './dialog.css'

/** A question over the page. Escape closes it; focus returns to where it was. */
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
      element.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus()
    }
    if (!open && element.open) element.close()
  }, [open])
  return (
    <dialog className="dialog" ref={dialog} aria-label={title} onClose={close}>
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
