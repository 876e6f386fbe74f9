/** The commands of the operator's command line, with what each does. Those that exit with 1 for a finding say so. */
export const usage = `Usage: npm run admin -- COMMAND

  help [COMMAND]                     list all commands, or the forms of one
  audit [--trail NUMBER:HASH]        compare all books with the movements, and the audit trail with its chain and
                                     with a row of the log; exits 1 on a difference, or if a check could not be made
  accept-trail NUMBER REASON         leave out a break of the audit trail that was looked into (NUMBER is the row's
                                     number in the chain, or "end")
  repair                             after a wrong clock: rebuild the day sums of accounts, and make due what waits
                                     for a time far ahead
  timezone ZONE                      change the site's time zone, which the first start stored
  grant MEMBER POINTS REASON [--key KEY]
                                     give points (MEMBER is an id or an e-mail address); from the site's sum for two
                                     people on they wait for an operator in the back office
  revoke MEMBER POINTS REASON [--key KEY]
                                     take points back, also below zero; with the same KEY, the same command again
                                     books nothing
  operator list                      list the operators
  operator add MEMBER [REASON]       make a member an operator
  operator remove MEMBER REASON      take it back, end the person's sessions, and end what the person asked other
                                     operators to confirm; not of the last operator
  doctor                             try every service that the site depends on, and say what is wrong; exits 1 if
                                     anything is
  rotate-secret                      seal all stored secrets anew with APP_SECRET, after it was changed; run it again
                                     until it says that APP_SECRET_FORMER can go
  withdrawals                        list the requests that wait for a decision, with what stands against it
  approve ID…                        approve requests at the rate of now; of one that needs two people an operator
                                     must give the first approval
  reject ID REASON                   reject a request and return its points; the member reads the reason
  held list [--after NUMBER]         list the credits that wait for an approval, oldest first, 100 at a time
  held approve NUMBER…               approve them; of one that needs two people an operator must give the first approval
  held reject NUMBER REASON          reject one; the member reads the reason
  quarantine list [--after NUMBER]   list the calls of providers that were not booked, oldest first, 100 at a time
  quarantine book NUMBER REASON [--member MEMBER]
                                     book one, for another member than the call names if MEMBER is given; of a credit
                                     that needs two people an operator must give the first approval
  quarantine dismiss NUMBER REASON   dismiss one, which moves no points
  jobs list                          list the jobs that wait, at most 100, those that failed first
  jobs retry NUMBER…                 make jobs that failed due now, for one attempt more
  mails list                         list the mails of notices that were not sent, the newest 100
  mails retry ID…                    make them due now, for one attempt more
  bounce FILE…                       read reports of mail servers about mails of broadcasts: failed deliveries and
                                     complaints; exits 1 if a file is none about a mail of this site, but 0
                                     if it is /dev/stdin, and 75 if the database fails
  bounce --forget ADDRESS            forget the bounces of a member's address, so that it gets broadcasts again
  suspensions                        list the suspensions that hold now
  suspend MEMBER TYPE REASON [--severity SEVERITY] [--until TIME]
                                     suspend a member, who reads the reason. TYPE is earnings_blocked,
                                     withdrawal_blocked or full_suspension, SEVERITY warning, temporary or permanent
  lift NUMBER REASON                 lift a suspension, which the member reads
  export LIST                        write a list as CSV: audit-trail, books, payouts, suspensions, withdrawals
  export movements MEMBER            write the movements of a member as CSV, oldest first
  pause REASON, pause-payouts REASON
                                     pause all payouts of the site; nothing is dropped
  resume [REASON], resume-payouts [REASON]
                                     resume them
  confirm-settings [NUMBER]          list the changes of the site's settings that wait for another operator, or confirm
                                     the one with this number; whoever has this shell counts as the other person
  reconcile [--noted REASON]
                                     compare payouts with the payments that were made, print it, and release what is
                                     clear; exits 1 if a method could not be compared. With --noted the payments that
                                     no payout accounts for are noted with the reason and not printed again, but not
                                     those whose member is known: see the next one, and the revoke printed for each
  reconcile --not-owed REFERENCE[,REFERENCE] REASON
                                     take note of payments whose points are not to be taken back
  reconcile --release-approved REASON
                                     pay the payouts that a restored copy has approved and that nobody has given up
  reconcile --new-account METHOD [--lost] REASON
                                     the method pays from another wallet from now on; --lost: also while the former
                                     one, which is lost, may pay some payouts
  reconcile --never-made REFERENCE REASON
                                     a payment that the record of a node gives to a request was certainly never made
  reconcile --give-up METHOD [--noted] REASON
                                     end a comparison after a restore that can never be made, because the wallet or
                                     the coin is given up for good; --noted: although the nodes have sent payments that
                                     no payout accounts for

Exit codes: 0 done, or nothing to do; 1 refused, failed, or something is wrong; 2 the command was not understood and
nothing was tried.
`;

/** The forms of one command with what they do; an empty text if there is none. */
export function formsOf(name: string): string {
  const entries = usage.match(/^ {2}\S.*\n(?: {4,}.*\n)*/gm) ?? [];
  const isOfName = (entry: string) =>
    entry
      .split('\n', 1)
      .flatMap((line) => line.trim().split(/ {2,}/, 1))
      .flatMap((forms) => forms.split(', '))
      .some((form) => form.split(' ', 1)[0] === name);
  return entries.filter(isOfName).join('');
}
