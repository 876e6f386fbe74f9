/** Sentences about the site's accounts at companies that pay. See `operator-sentences.ts`. */
export const walletSentences = {
  'company-silent': '{company} did not answer in time.',
  'company-refuses': '{company} refuses these credentials: {nameList}.',
  'company-unexpected': '{company} answered with status {status}, which says nothing of the credentials.',
  'company-knows': '{company} knows these credentials.',
  'paypal-no-payouts':
    'PayPal knows the credentials, and this app may not make payouts. Switch payouts on at PayPal.',
  'paypal-payouts': 'This app may make payouts.',
  'paypal-balance': 'The account holds {usd} USD.',
  'paypal-no-balance': 'This app may not read the balance, which payouts do not need.',
  'nowpayments-no-sign-in': 'No e-mail and password are set. Payouts will need them.',
  'nowpayments-signed-in': 'NOWPayments accepts the e-mail and password.',
  'wallet-not-asked': 'Not asked yet. The site asks once a minute.',
  'wallet-silent': 'It has not answered for some minutes.',
  'wallet-not-watched': 'The method is switched off, so the site does not ask its wallet.',
} as const;
