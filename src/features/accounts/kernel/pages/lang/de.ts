import type { en, PageError } from './en.ts'

export const de: Record<keyof typeof en, string> = {
  'sign_in.title': 'Bei {organization} anmelden',
  'sign_in.email': 'E-Mail-Adresse',
  'sign_in.email_or_name': 'E-Mail-Adresse oder Benutzername',
  'sign_in.password': 'Passwort',
  'sign_in.submit': 'Anmelden',
  'sign_in.with': 'Mit {provider} anmelden',
  'sign_in.ended':
    'Deine Sitzung ist beendet. Melde dich an, um weiterzumachen; deine Entwürfe bleiben erhalten.',
  'sign_in.forgot': 'Passwort vergessen?',
  'sign_in.new_here': 'Neu hier?',
  'sign_in.too_often': 'Das war zu oft. Warte ein paar Minuten, und versuche es dann noch einmal.',
  'join.title': '{organization} beitreten',
  'join.link_follows': 'Wir schicken dir einen Link, mit dem es weitergeht.',
  'join.send': 'Link zuschicken',
  'join.continue': 'Weiter',
  'join.has_account': 'Hast du schon ein Konto?',
  'join.closed': 'Um {organization} beizutreten, brauchst du eine Einladung. Bitte ein Mitglied darum.',
  'join.mail_sent':
    'Wir haben eine E-Mail an {email} geschickt. Mit dem Link darin geht es weiter; er gilt einen Tag lang.',
  'join.no_mail':
    'Dieser Server kann keine E-Mails verschicken. Bitte seinen Administrator um den Link für {email}.',
  'join.name': 'Dein Name, wie andere ihn sehen',
  'join.password': 'Passwort mit mindestens {count} Zeichen',
  'join.create': 'Konto erstellen',
  'join.sign_on': 'Melde dich mit dem Konto für {email} an.',
  'join.invited': '{name} hat dich eingeladen.',
  'mail.title': 'Sieh in deine E-Mails',
  'reset.title': 'Neues Passwort setzen',
  'reset.ask':
    'Gib die E-Mail-Adresse deines Kontos an. Wir schicken dir einen Link, um ein neues Passwort zu setzen.',
  'reset.send': 'Link schicken',
  'reset.sent':
    'Wenn es ein Konto mit der Adresse {email} gibt, haben wir eine E-Mail mit einem Link dorthin geschickt.',
  'reset.password': 'Neues Passwort für {email} mit mindestens {count} Zeichen',
  'reset.submit': 'Passwort setzen',
  'new_email.title': 'Neue E-Mail-Adresse bestätigen',
  'new_email.will': 'Dein Konto in {organization} bekommt die Adresse {email}.',
  'new_email.submit': 'Diese Adresse nehmen',
  'new_email.changed': 'Deine E-Mail-Adresse ist geändert',
  'new_email.now': 'Dein Konto in {organization} hat jetzt die Adresse {email}.',
  'account.back': 'Zurück zu den Nachrichten',
  'account.signed_in': 'Du bist als {name} ({email}) angemeldet.',
  'account.sign_out': 'Abmelden',
  'account.browsers': 'Browser',
  'account.keys': 'API-Schlüssel deiner Clients',
  'account.no_keys': 'Keine.',
  'account.revoke': 'Widerrufen',
  'account.logins': 'Letzte Anmeldungen',
  'account.when': 'Wann',
  'account.how': 'Wie',
  'account.client': 'Client',
  'account.address': 'Adresse',
  'account.since': 'Seit',
  'account.last_used': 'Zuletzt benutzt',
  'account.this_one': '{client} (dieser)',
  'organizations.title': 'Organisation wählen',
  'organizations.none': 'Hier stehen die Organisationen, bei denen du dich mit diesem Browser anmeldest.',
  'organizations.other': 'Eine andere Organisation',
  'organizations.this_one': '(diese)',
  'organizations.note':
    'Was du vergessen lässt, steht nicht mehr in dieser Liste, bis du es wieder öffnest. Du bleibst angemeldet.',
  'organizations.forget': 'Vergessen',
  'organizations.forget_named': '{name} vergessen',
  'organizations.forget_all': 'Alle vergessen',
  'organizations.field': 'Name oder Adresse, etwa acme oder {example}',
  'organizations.go': 'Dorthin',
  'organizations.elsewhere': 'Das ist keine Adresse dieses Servers ({host}).',
  'organizations.unknown':
    'Unter {address} gibt es keine Organisation. Prüfe, ob die Adresse richtig geschrieben ist.',
  'unsubscribe.title': 'Abbestellen',
  'unsubscribe.missed': '{email} bekommt E-Mails über verpasste Nachrichten in {organization}.',
  'unsubscribe.logins': '{email} bekommt E-Mails über neue Anmeldungen in {organization}.',
  'unsubscribe.digests': '{email} bekommt E-Mails mit dem Rückblick auf eine Woche in {organization}.',
  'unsubscribe.done': 'Erledigt',
  'unsubscribe.no_missed':
    'Du bekommst keine E-Mails über verpasste Nachrichten in {organization} mehr. In deinen Einstellungen kannst du sie wieder einschalten.',
  'unsubscribe.no_logins':
    'Du bekommst keine E-Mails über neue Anmeldungen in {organization} mehr. In deinen Einstellungen kannst du sie wieder einschalten.',
  'unsubscribe.no_digests':
    'Du bekommst keine E-Mails mit dem Rückblick auf eine Woche in {organization} mehr. In deinen Einstellungen kannst du sie wieder einschalten.',
  'zoom.title': 'Zoom ist verbunden',
  'zoom.done': 'Du kannst dieses Fenster schließen und deinen Anruf beginnen.',
  'error.no_organization': 'Hier ist keine Organisation',
  'error.no_organization_text':
    'Unter dieser Adresse gibt es keine Organisation. Prüfe, ob sie richtig geschrieben ist.',
  'error.server': 'Etwas ist schiefgegangen',
  'error.not_found': 'Nicht gefunden',
  'error.other': 'Das ging nicht',
  'error.no_page': 'Unter dieser Adresse gibt es keine Seite.',
}

export const germanErrors: Record<PageError, string> = {
  'API usage exceeded rate limit': 'Das war zu oft. Versuche es später noch einmal.',
  'Account is deactivated': 'Dieses Konto ist deaktiviert.',
  'Already has an account.': 'Diese Adresse hat schon ein Konto.',
  'Disposable email addresses are not allowed in this organization':
    'Wegwerfadressen sind in dieser Organisation nicht erlaubt.',
  'Email address changes are disabled in this organization.':
    'In dieser Organisation kann man seine E-Mail-Adresse nicht ändern.',
  'Email addresses containing + are not allowed.': 'E-Mail-Adressen mit + sind nicht erlaubt.',
  'Email is already in use.': 'Diese E-Mail-Adresse hat schon ein Konto.',
  'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse an.',
  'Internal server error': 'Im Server ist ein Fehler aufgetreten.',
  'Invalid characters in name!': 'Der Name hat Zeichen, die nicht erlaubt sind.',
  'Invalid format!': 'Der Name hat eine Form, die nicht erlaubt ist.',
  'Name is already in use.': 'Diesen Namen hat schon jemand.',
  'Name too long!': 'Der Name ist zu lang.',
  'Name too short!': 'Der Name ist zu kurz.',
  'This way of logging in is not available here.': 'So kann man sich hier nicht anmelden.',
  'Password authentication is disabled in this organization':
    'In dieser Organisation meldet man sich nicht mit einem Passwort an.',
  'The account of this link no longer exists.': 'Das Konto zu diesem Link gibt es nicht mehr.',
  'The password is too weak.':
    'Dieses Passwort ist zu leicht zu erraten. Nimm ein längeres, etwa mehrere Wörter, die nicht zusammengehören.',
  'The server has too much to do right now. Try again in a moment.':
    'Der Server hat gerade zu viel zu tun. Versuche es gleich noch einmal.',
  'The server is starting. Try again in a moment.':
    'Der Server startet gerade. Versuche es gleich noch einmal.',
  'The server is stopping. Try again in a moment.':
    'Der Server hält gerade an. Versuche es gleich noch einmal.',
  'The sign-on service has not provided your email address.':
    'Der Anmeldedienst hat deine E-Mail-Adresse nicht mitgeteilt.',
  'The sign-on service has not verified your email address.':
    'Der Anmeldedienst hat deine E-Mail-Adresse nicht geprüft.',
  'The sign-on was canceled. Begin again if you like.':
    'Die Anmeldung wurde abgebrochen. Du kannst noch einmal beginnen.',
  'There is no such key.': 'Diesen Schlüssel gibt es nicht.',
  'There is no such session.': 'Diese Sitzung gibt es nicht.',
  'This connection to Zoom has expired, or was started in another browser. Close this window and try again.':
    'Diese Verbindung zu Zoom ist abgelaufen oder wurde in einem anderen Browser begonnen. Schließe dieses Fenster, und versuche es noch einmal.',
  'This invitation is no longer valid. Ask for a new one.':
    'Diese Einladung gilt nicht mehr. Bitte um eine neue.',
  'This link has been used already, or has expired. If your email address is still the old one, change it again in your settings.':
    'Dieser Link wurde schon benutzt oder ist abgelaufen. Wenn deine E-Mail-Adresse noch die alte ist, ändere sie in deinen Einstellungen noch einmal.',
  'This link has been used already, or has expired. If you have chosen a password with it, sign in. If not, start the server again: it makes a new link, and says where that is. The command rookery user password sets a password, too.':
    'Dieser Link wurde schon benutzt oder ist abgelaufen. Wenn du damit ein Passwort gewählt hast, melde dich an. Wenn nicht, starte den Server neu: Er macht einen neuen Link und sagt, wo der steht. Auch der Befehl rookery user password setzt ein Passwort.',
  'This link has been used already, or has expired. To get a new one, choose "Forgot your password?" on the page to sign in. If no email arrives, ask the operator of this server, who sets a password with the command rookery user password.':
    'Dieser Link wurde schon benutzt oder ist abgelaufen. Einen neuen bekommst du auf der Anmeldeseite mit „Passwort vergessen?“. Wenn keine E-Mail ankommt, bitte den Betreiber dieses Servers: Er setzt ein Passwort mit dem Befehl rookery user password.',
  'This link has expired. You can turn these emails off in your settings.':
    'Dieser Link ist abgelaufen. Du kannst diese E-Mails in deinen Einstellungen abschalten.',
  'This link is no longer valid. If you have joined already, sign in. If not, ask for a new one.':
    'Dieser Link gilt nicht mehr. Wenn du schon beigetreten bist, melde dich an. Wenn nicht, bitte um einen neuen.',
  'This organization has been deactivated': 'Diese Organisation ist deaktiviert.',
  'This sign-on has expired, or was started in another browser. Please try again.':
    'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Versuche es noch einmal.',
  'Unique names required in this organization.':
    'In dieser Organisation hat jede Person einen eigenen Namen.',
  'You need an invitation to join this organization. Ask a member for one.':
    'Um dieser Organisation beizutreten, brauchst du eine Einladung. Bitte ein Mitglied darum.',
  'Your email address belongs to a bot here.': 'Deine E-Mail-Adresse gehört hier einem Bot.',
  'Your username or password is incorrect': 'Die Adresse oder das Passwort ist falsch.',
  'Zoom was not connected, because you did not allow it there.':
    'Zoom wurde nicht verbunden, weil du es dort nicht erlaubt hast.',
}
