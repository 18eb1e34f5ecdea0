/** A key must not be seen again where it was sent: in what a provider, or whoever stands in front of it, says. */
import { removeSecret } from '../secrets/secret-forms.ts'

const HIDDEN = '[key]'

export function hideSecret(text: string, secret: string): string {
  return removeSecret(text, secret, HIDDEN)
}

export function hasSecret(text: string, secret: string): boolean {
  return hideSecret(text, secret) !== text
}
