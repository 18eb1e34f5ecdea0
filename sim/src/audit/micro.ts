/** An amount in millionths; finer ones do not exist. */
export function toMillionths(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(6, '0').slice(0, 6))
}
