/**
 * What was just done, said in a corner: it can be looked up, or undone while it is there. It takes no focus, waits while
 * somebody points at it, and the next one takes its place.
 */
import X from 'lucide-react/icons/x'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { Link } from '../url/link.tsx'
import './toast.css'

export type Toast = {
  readonly text: string
  /** Where it can be looked up. */
  readonly look?: { readonly label: string; readonly href: string }
  readonly undo?: () => void
}

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Long enough to read two lines and to reach the button. */
const SHOWN_MS = 8_000

export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [toast, setToast] = useState<Toast | null>(null)
  const [held, setHeld] = useState(false)
  const dismiss = (): void => {
    setToast(null)
    setHeld(false)
  }
  useEffect(() => {
    if (toast === null || held) return
    const timer = setTimeout(() => setToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast, held])
  return (
    <ToastContext value={setToast}>
      {children}
      <div
        className="toast-place"
        role="status"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {toast === null ? null : <Shown toast={toast} dismiss={dismiss} />}
      </div>
    </ToastContext>
  )
}

export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext)
}

function Shown({
  toast: { text, look, undo },
  dismiss,
}: {
  readonly toast: Toast
  readonly dismiss: () => void
}): ReactNode {
  return (
    <div className="toast">
      <span>{text}</span>
      {look === undefined ? null : <Link href={look.href}>{look.label}</Link>}
      {undo === undefined ? null : (
        <button
          type="button"
          className="plain"
          onClick={() => {
            undo()
            dismiss()
          }}
        >
          Undo
        </button>
      )}
      <button type="button" className="quiet-button" aria-label="Dismiss" onClick={dismiss}>
        <X className="icon" aria-hidden="true" />
      </button>
    </div>
  )
}
