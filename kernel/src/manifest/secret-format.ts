/** Where the value of a secret stands in what is sent. */
export const PLACE_OF_SECRET = '{secret}'

/** Whether the value has one place in it. */
export function isSecretFormat(format: string): boolean {
  return format.split(PLACE_OF_SECRET).length === 2
}

/** What is sent: the value alone where nothing stands around it. */
export function formatSecret(format: string | undefined, secret: string): string {
  return (format ?? PLACE_OF_SECRET).split(PLACE_OF_SECRET).join(secret)
}
