// A shopping cart in whole cents: lines, vouchers, shipping and totals.
import { percentOf } from './money.js'

const FREE_SHIPPING_FROM = 5000
const SHIPPING = 490

export function createCart() {
  return { lines: [], voucher: null }
}

export function add(cart, item, quantity = 1) {
  if (!Number.isInteger(quantity) || quantity < 1) throw new RangeError('quantity must be a whole number above zero')
  const line = cart.lines.find(({ sku }) => sku === item.sku)
  if (line) {
    line.quantity += quantity
    return line
  }
  const added = { sku: item.sku, name: item.name, price: item.price, quantity }
  cart.lines.push(added)
  return added
}

export function remove(cart, sku, quantity = Infinity) {
  const at = cart.lines.findIndex((line) => line.sku === sku)
  if (at === -1) return false
  const line = cart.lines[at]
  if (quantity >= line.quantity) {
    cart.lines.splice(at, 1)
  } else {
    line.quantity -= quantity
  }
  return true
}

export function applyVoucher(cart, voucher) {
  if (voucher.minimum && subtotal(cart) < voucher.minimum) return false
  cart.voucher = voucher
  return true
}

export function subtotal(cart) {
  return cart.lines.reduce((sum, line) => sum + line.price * line.quantity, 0)
}

export function discount(cart) {
  const { voucher } = cart
  if (!voucher) return 0
  const goods = subtotal(cart)
  if (voucher.kind === 'percent') return percentOf(goods, voucher.value)
  return Math.min(voucher.value, goods)
}

export function shipping(cart) {
  if (cart.lines.length === 0) return 0
  return subtotal(cart) - discount(cart) >= FREE_SHIPPING_FROM ? 0 : SHIPPING
}

export function total(cart) {
  return subtotal(cart) - discount(cart) + shipping(cart)
}
