/** Ctrl+Enter (⌘Enter) sends a form from wherever in it the focus is, as its button would; what is not ready is not sent. */
import type { KeyboardEvent } from 'react'

export function sendFormOnKeys(event: KeyboardEvent, form: HTMLFormElement | null): void {
  if (event.defaultPrevented || event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]')
  if (form === null || button === null || button === undefined || button.disabled) return
  event.preventDefault()
  form.requestSubmit(button)
}
