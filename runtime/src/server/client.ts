/** Asks a server as anybody would: with bytes and a token. */
export type HttpPlace = { readonly url: string; readonly token?: string }

export type HttpQuestion = {
  /** Sent as JSON; text and bytes as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type HttpAnswer = {
  readonly status: number
  readonly headers: Headers
  /** What the server said, where that was JSON; else the text. */
  readonly body: ReturnType<typeof JSON.parse>
}

export async function ask(
  { url, token }: HttpPlace,
  method: 'GET' | 'POST',
  path: string,
  { body, headers = {} }: HttpQuestion = {},
): Promise<HttpAnswer> {
  const asIs = typeof body === 'string' || body instanceof Uint8Array
  const bytes = asIs ? body : JSON.stringify(body)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: Buffer.from(bytes as string) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}
