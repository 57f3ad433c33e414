<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>console</name>
  <message>
   <location filename="../../console/activity/model.py" />
   <source>{time} left</source>
   <translation>noch {time}</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Activity</source>
   <translation>Aktivität</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Activity filter</source>
   <translation>Filter der Aktivität</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>All</source>
   <comment>calls</comment>
   <translation>Alle</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Call</source>
   <translation>Aufruf</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Calls shown</source>
   <translation>Gezeigte Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Close Activity</source>
   <translation>Aktivität schließen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Compare the two</source>
   <translation>Die beiden vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Copy arguments</source>
   <translation>Argumente kopieren</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Copy row</source>
   <translation>Zeile kopieren</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Every call shows here, whoever made it: you, an agent or a batch.</source>
   <translation>Hier erscheint jeder Aufruf, ob von Ihnen, einem Agenten oder einem Stapel.</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Failed</source>
   <translation>Fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Filter calls</source>
   <translation>Aufrufe filtern</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Make a pipeline…</source>
   <translation>Pipeline erstellen…</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>No call failed</source>
   <translation>Kein Aufruf ist fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>No call is running</source>
   <translation>Kein Aufruf läuft</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>No call matches</source>
   <translation>Kein Aufruf passt</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>No call waits for approval</source>
   <translation>Kein Aufruf wartet auf Freigabe</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>No calls yet</source>
   <translation>Noch keine Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Nothing matches “{words}”</source>
   <translation>Nichts passt zu „{words}“</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Open Activity</source>
   <translation>Aktivität öffnen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Open call</source>
   <translation>Aufruf öffnen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Open tool</source>
   <translation>Werkzeug öffnen</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Running</source>
   <translation>Läuft</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Show the two chosen calls beside each other</source>
   <translation>Die zwei gewählten Aufrufe nebeneinander zeigen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/activity/view.py" />
   <source>Show {count:,} new calls</source>
   <translation>
    <numerusform>1 neuen Aufruf zeigen</numerusform>
    <numerusform>{count:,} neue Aufrufe zeigen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Stop</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>The arguments are not kept in this list; open the call to copy them.</source>
   <translation>Diese Liste bewahrt die Argumente nicht auf; öffnen Sie den Aufruf, um sie zu kopieren.</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>Waiting</source>
   <translation>Warten</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/activity/view.py" />
   <source>{count:,} calls in the last hour</source>
   <translation>
    <numerusform>1 Aufruf in der letzten Stunde</numerusform>
    <numerusform>{count:,} Aufrufe in der letzten Stunde</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>{count:,} new</source>
   <translation>{count:,} neu</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>{count:,} of {total:,}</source>
   <translation>{count:,} von {total:,}</translation>
  </message>
  <message>
   <location filename="../../console/activity/view.py" />
   <source>{count:,} running</source>
   <translation>{count:,} laufend</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Add</source>
   <translation>Hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Add an API</source>
   <translation>API hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>All</source>
   <translation>Alle</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Allow</source>
   <translation>Erlauben</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Allow the API {name}</source>
   <translation>API {name} erlauben</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>As the document says</source>
   <translation>Wie im Dokument</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Base address</source>
   <translation>Basisadresse</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Choose a file…</source>
   <translation>Datei wählen…</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Choose an OpenAPI document</source>
   <translation>OpenAPI-Dokument wählen</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Each operation of an OpenAPI 3 document becomes a tool. Nothing is sent before a tool runs, and what changes something asks first.</source>
   <translation>Jede Operation eines OpenAPI-3-Dokuments wird ein Werkzeug. Nichts wird gesendet, bevor ein Werkzeug läuft, und was etwas ändert, fragt vorher.</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>File or address</source>
   <translation>Datei oder Adresse</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Give the file or the address of an OpenAPI document.</source>
   <translation>Geben Sie die Datei oder die Adresse eines OpenAPI-Dokuments an.</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Kept in the keyring</source>
   <translation>Liegt im Schlüsselbund</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Key {scheme}</source>
   <translation>Schlüssel {scheme}</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Name</source>
   <translation>Name</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>No document yet</source>
   <translation>Noch kein Dokument</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>None</source>
   <comment>operations</comment>
   <translation>Keine</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Only those that read</source>
   <translation>Nur lesende</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>OpenAPI documents (*.json *.yaml *.yml);;All files (*)</source>
   <translation>OpenAPI-Dokumente (*.json *.yaml *.yml);;Alle Dateien (*)</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Operations</source>
   <translation>Operationen</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Reading the document…</source>
   <translation>Dokument wird gelesen …</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>The API {name}</source>
   <translation>Die API {name}</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>The document is read once; what it says later changes no tool.</source>
   <translation>Das Dokument wird einmal gelesen; spätere Änderungen daran ändern kein Werkzeug.</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>There already; empty leaves it</source>
   <translation>Vorhanden; leer lässt ihn, wie er ist</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>What the names of its tools begin with</source>
   <translation>Womit die Namen ihrer Werkzeuge beginnen</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>https://api.example.org/openapi.json, or a file</source>
   <translation>https://api.example.org/openapi.json oder eine Datei</translation>
  </message>
  <message>
   <location filename="../../console/apis/dialog.py" />
   <source>{key} Or set {variable}.</source>
   <translation>{key} Oder setzen Sie {variable}.</translation>
  </message>
  <message>
   <location filename="../../console/apis/engine_apis.py" />
   <source>Operations of {name}: {counts}</source>
   <translation>Operationen von {name}: {counts}</translation>
  </message>
  <message>
   <location filename="../../console/apis/engine_apis.py" />
   <source>the document changed while you looked at it; look at it again</source>
   <translation>das Dokument hat sich währenddessen geändert; sehen Sie es noch einmal an</translation>
  </message>
  <message>
   <location filename="../../console/apis/engine_apis.py" />
   <source>{count:,} added</source>
   <translation>{count:,} hinzugefügt</translation>
  </message>
  <message>
   <location filename="../../console/apis/engine_apis.py" />
   <source>{count:,} changed</source>
   <translation>{count:,} geändert</translation>
  </message>
  <message>
   <location filename="../../console/apis/engine_apis.py" />
   <source>{count:,} removed</source>
   <translation>{count:,} entfernt</translation>
  </message>
  <message>
   <location filename="../../console/apis/engine_apis.py" />
   <source>{name} is as it was</source>
   <translation>{name} ist unverändert</translation>
  </message>
  <message>
   <location filename="../../console/apis/model.py" />
   <source>Effect</source>
   <translation>Wirkung</translation>
  </message>
  <message>
   <location filename="../../console/apis/model.py" />
   <source>Method</source>
   <translation>Methode</translation>
  </message>
  <message>
   <location filename="../../console/apis/model.py" />
   <source>Path</source>
   <translation>Pfad</translation>
  </message>
  <message>
   <location filename="../../console/apis/model.py" />
   <source>What it is for</source>
   <translation>Wofür</translation>
  </message>
  <message>
   <location filename="../../console/apis/page.py" />
   <source>Its tools go, with the copy of its document and its keys. This cannot be undone.</source>
   <translation>Ihre Werkzeuge werden entfernt, samt der Kopie ihres Dokuments und ihren Schlüsseln. Das lässt sich nicht rückgängig machen.</translation>
  </message>
  <message>
   <location filename="../../console/apis/page.py" />
   <source>Remove {name}</source>
   <translation>{name} entfernen</translation>
  </message>
  <message>
   <location filename="../../console/apis/page.py" />
   <source>Remove {name}?</source>
   <translation>{name} entfernen?</translation>
  </message>
  <message>
   <location filename="../../console/apis/page.py" />
   <source>Removed {name}</source>
   <translation>{name} entfernt</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/apis/page.py" />
   <source>{name} has {count:,} tools now</source>
   <translation>
    <numerusform>{name} hat jetzt {count:,} Werkzeug</numerusform>
    <numerusform>{name} hat jetzt {count:,} Werkzeuge</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>Cannot be used: {problem}</source>
   <translation>Nicht verwendbar: {problem}</translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>Look at the words of {operations}</source>
   <translation>Prüfen Sie den Wortlaut: {operations}</translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>Some operations go to {hosts}, with the same keys.</source>
   <translation>Einige Operationen gehen an {hosts}, mit denselben Schlüsseln.</translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>This document</source>
   <translation>Dieses Dokument</translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>changes</source>
   <translation>ändert</translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>deletes</source>
   <translation>löscht</translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>reads</source>
   <translation>liest</translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>{first} (and {more:,} more)</source>
   <translation>{first} (und {more:,} weitere)</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/apis/rows.py" />
   <source>{operations}, {count:,} of which change something and ask first</source>
   <translation>
    <numerusform>{operations}, davon ändert {count:,} etwas und fragt vorher</numerusform>
    <numerusform>{operations}, davon ändern {count:,} etwas und fragen vorher</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/apis/rows.py" />
   <source>{title}: {count:,} operations</source>
   <translation>
    <numerusform>{title}: {count:,} Operation</numerusform>
    <numerusform>{title}: {count:,} Operationen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/apis/rows.py" />
   <source>{words}. {chosen:,} chosen</source>
   <translation>{words}. {chosen:,} gewählt</translation>
  </message>
  <message>
   <location filename="../../console/app/authoring.py" />
   <source>No editor was found. The file is {path}</source>
   <translation>Kein Editor gefunden. Die Datei ist {path}</translation>
  </message>
  <message>
   <location filename="../../console/app/authoring.py" />
   <source>No editor was found. The place is {path}:{line}</source>
   <translation>Kein Editor gefunden. Die Stelle ist {path}:{line}</translation>
  </message>
  <message>
   <location filename="../../console/app/authoring.py" />
   <source>The server {server} is not connected: {why}</source>
   <translation>Der Server {server} ist nicht verbunden: {why}</translation>
  </message>
  <message>
   <location filename="../../console/app/authoring.py" />
   <source>there is a tool {name!r} already; take another name</source>
   <translation>ein Werkzeug {name!r} gibt es schon; nehmen Sie einen anderen Namen</translation>
  </message>
  <message>
   <location filename="../../console/app/authoring.py" />
   <source>{name} was loaded again: this page shows what stands in it now.</source>
   <translation>{name} wurde neu geladen: Diese Seite zeigt, was jetzt darin steht.</translation>
  </message>
  <message>
   <location filename="../../console/app/commands.py" />
   <source>About Tool Console</source>
   <translation>Über Tool Console</translation>
  </message>
  <message>
   <location filename="../../console/app/commands.py" />
   <source>Choose a plugin file</source>
   <translation>Plugin-Datei wählen</translation>
  </message>
  <message>
   <location filename="../../console/app/commands.py" />
   <source>Python files (*.py)</source>
   <translation>Python-Dateien (*.py)</translation>
  </message>
  <message>
   <location filename="../../console/app/commands.py" />
   <source>Shortcuts and help</source>
   <translation>Tastenkürzel und Hilfe</translation>
  </message>
  <message>
   <location filename="../../console/app/console.py" />
   <source>Close {name}?</source>
   <translation>{name} schließen?</translation>
  </message>
  <message>
   <location filename="../../console/app/console.py" />
   <source>It still runs. Closing its page stops it.</source>
   <translation>Es läuft noch. Wird die Seite geschlossen, hält es an.</translation>
  </message>
  <message>
   <location filename="../../console/app/console.py" />
   <source>Something in the console itself failed: {error}</source>
   <translation>In der Konsole selbst ist etwas fehlgeschlagen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/console.py" />
   <source>Something still runs. Its relative paths would mean the other folder from now on.</source>
   <translation>Etwas läuft noch. Seine relativen Pfade würden von nun an den anderen Ordner meinen.</translation>
  </message>
  <message>
   <location filename="../../console/app/console.py" />
   <source>Stop and close</source>
   <translation>Anhalten und schließen</translation>
  </message>
  <message>
   <location filename="../../console/app/console.py" />
   <source>{plan} has changes that are not saved. It stays open, but its paths mean the other folder.</source>
   <translation>{plan} hat ungespeicherte Änderungen. Der Plan bleibt offen, aber seine Pfade meinen den anderen Ordner.</translation>
  </message>
  <message>
   <location filename="../../console/app/extra_installs.py" />
   <source>The extra “{extra}” could not be installed: {error}</source>
   <translation>Das Extra „{extra}“ konnte nicht installiert werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/extra_installs.py" />
   <source>The extra “{extra}” is installed</source>
   <translation>Das Extra „{extra}“ ist installiert</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Add the API that {name} describes</source>
   <translation>die API hinzuzufügen, die {name} beschreibt</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Add {count} plugin files: {names}</source>
   <translation>{count} Plugin-Dateien hinzuzufügen: {names}</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Add {name} as a plugin and open its first tool</source>
   <translation>{name} als Plugin hinzuzufügen und sein erstes Werkzeug zu öffnen</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Drop to</source>
   <translation>Ablegen, um</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Make a plan of the rows of {name}</source>
   <translation>aus den Zeilen von {name} einen Plan zu machen</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Nothing of this can be opened</source>
   <translation>Nichts davon kann geöffnet werden</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Open the project</source>
   <translation>Projekt öffnen</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Open the project {name}?</source>
   <translation>Das Projekt {name} öffnen?</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Open {name} as a plan on the Batch page</source>
   <translation>{name} als Plan auf der Seite „Stapel“ zu öffnen</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>Open {name} as the project folder</source>
   <translation>{name} als Projektordner zu öffnen</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>The project folder is {folder} now</source>
   <translation>Der Projektordner ist jetzt {folder}</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>a .py file, a folder, a plan or an OpenAPI document (.yaml, .json), or a table (.csv)</source>
   <translation>eine .py-Datei, einen Ordner, einen Plan oder ein OpenAPI-Dokument (.yaml, .json) oder eine Tabelle (.csv)</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>and {count} more</source>
   <translation>und {count} weitere</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>api</source>
   <comment>kind of a dropped file</comment>
   <translation>API</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>plan</source>
   <translation>Plan</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>project</source>
   <translation>Projekt</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>table</source>
   <translation>Tabelle</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>{names} and {count} more</source>
   <translation>{names} und {count} weitere</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>{name} is left out: one {kind} at a time, and {other} came first</source>
   <translation>{name} bleibt weg: nur eine Datei dieser Art ({kind}) auf einmal, und {other} kam zuerst</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>{name} is left out: the Batch page shows one plan at a time</source>
   <translation>{name} bleibt weg: Die Seite „Stapel“ zeigt einen Plan auf einmal</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>{name} is nothing that can be opened here; drop {fitting}</source>
   <translation>{name} kann hier nicht geöffnet werden; möglich sind {fitting}</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>{sentence} (and {count} more)</source>
   <translation>{sentence} (und {count} weitere)</translation>
  </message>
  <message>
   <location filename="../../console/app/file_drops.py" />
   <source>{url} is not a file of this computer; save it here first</source>
   <translation>{url} ist keine Datei dieses Computers; speichern Sie sie zuerst hier</translation>
  </message>
  <message>
   <location filename="../../console/app/first_steps.py" />
   <source>Health has nothing to show before a tool ran: run one first</source>
   <translation>Unter „Zustand“ ist nichts zu sehen, bevor ein Werkzeug lief: Führen Sie zuerst eines aus</translation>
  </message>
  <message>
   <location filename="../../console/app/first_steps.py" />
   <source>The first steps are in the menu, under Help, whenever you want them</source>
   <translation>Die ersten Schritte finden Sie jederzeit im Menü unter „Hilfe“</translation>
  </message>
  <message>
   <location filename="../../console/app/first_steps.py" />
   <source>The sample batch cannot be kept: {error}</source>
   <translation>Der Beispielstapel kann nicht gespeichert werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/first_steps.py" />
   <source>The scratch folder cannot be made: {error}</source>
   <translation>Der Übungsordner kann nicht angelegt werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/first_steps.py" />
   <source>This folder was made just now, for you to delete.</source>
   <translation>Dieser Ordner wurde eben angelegt, damit Sie ihn löschen können.</translation>
  </message>
  <message>
   <location filename="../../console/app/maintenance.py" />
   <source>As usual</source>
   <translation>Wie üblich</translation>
  </message>
  <message>
   <location filename="../../console/app/maintenance.py" />
   <source>Everything</source>
   <translation>Alles</translation>
  </message>
  <message>
   <location filename="../../console/app/maintenance.py" />
   <source>Warnings</source>
   <translation>Warnungen</translation>
  </message>
  <message>
   <location filename="../../console/app/maintenance.py" />
   <source>no program of this desktop shows folders; open {folder} yourself</source>
   <translation>kein Programm dieses Desktops zeigt Ordner; öffnen Sie {folder} selbst</translation>
  </message>
  <message>
   <location filename="../../console/app/open_tools.py" />
   <source>Check</source>
   <translation>Prüfung</translation>
  </message>
  <message>
   <location filename="../../console/app/open_tools.py" />
   <source>Copied {place}</source>
   <translation>{place} kopiert</translation>
  </message>
  <message>
   <location filename="../../console/app/open_tools.py" />
   <source>Schema</source>
   <translation>Schema</translation>
  </message>
  <message>
   <location filename="../../console/app/open_tools.py" />
   <source>The tool {name!r} is gone</source>
   <translation>Das Werkzeug {name!r} gibt es nicht mehr</translation>
  </message>
  <message>
   <location filename="../../console/app/open_tools.py" />
   <source>These are the arguments that the check found.</source>
   <translation>Diese Argumente hat die Prüfung gefunden.</translation>
  </message>
  <message>
   <location filename="../../console/app/open_tools.py" />
   <source>Wire</source>
   <translation>Übertragung</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>No pipeline can be made of the calls: {error}</source>
   <translation>Aus den Aufrufen lässt sich keine Pipeline machen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>One of the calls is not in the history any more</source>
   <translation>Einer der Aufrufe ist nicht mehr im Verlauf</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>Only the newest calls can be shown again: {error}</source>
   <translation>Nur die neuesten Aufrufe können wieder gezeigt werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>Some of the calls are not in the history any more, so no pipeline can be made of them</source>
   <translation>Einige der Aufrufe sind nicht mehr im Verlauf, daher lässt sich keine Pipeline daraus machen</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>The call cannot run again: {error}</source>
   <translation>Der Aufruf kann nicht erneut laufen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>The calls cannot be compared: {error}</source>
   <translation>Die Aufrufe lassen sich nicht vergleichen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>The tool {name} is gone and cannot run again</source>
   <translation>Das Werkzeug {name} gibt es nicht mehr; es kann nicht erneut laufen</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>The tool {name} is gone; what came of its calls is shown here</source>
   <translation>Das Werkzeug {name} gibt es nicht mehr; was seine Aufrufe ergaben, steht hier</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>This call is no longer in the history</source>
   <translation>Dieser Aufruf steht nicht mehr im Verlauf</translation>
  </message>
  <message>
   <location filename="../../console/app/past_call_actions.py" />
   <source>This call is no longer in the history; run the tool anew to see its result</source>
   <translation>Dieser Aufruf ist nicht mehr im Verlauf; führen Sie das Werkzeug neu aus, um ein Ergebnis zu sehen</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Quit</source>
   <translation>Beenden</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Quit Tool Console?</source>
   <translation>Tool Console beenden?</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Restart</source>
   <translation>Neu starten</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Restart Tool Console?</source>
   <translation>Tool Console neu starten?</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Save and quit</source>
   <translation>Speichern und beenden</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Save and restart</source>
   <translation>Speichern und neu starten</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Stop and quit</source>
   <translation>Anhalten und beenden</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>Stop and restart</source>
   <translation>Anhalten und neu starten</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>The plan {name} has changes that are not saved; they are kept as a draft for the next start.</source>
   <translation>Der Plan {name} hat ungespeicherte Änderungen; sie bleiben als Entwurf für den nächsten Start erhalten.</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>What came until now is kept, and Retry goes on with it after the next start.</source>
   <translation>Was bisher kam, bleibt erhalten; „Wiederholen“ macht nach dem nächsten Start damit weiter.</translation>
  </message>
  <message>
   <location filename="../../console/app/quitting.py" />
   <source>What is being written in it now is not finished, and is lost.</source>
   <translation>Was darin gerade geschrieben wird, ist nicht fertig und geht verloren.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/app/quitting.py" />
   <source>{count} calls still run. They are stopped; what is done so far is not undone.</source>
   <translation>
    <numerusform>Ein Aufruf läuft noch. Er wird angehalten; was schon geschehen ist, wird nicht rückgängig gemacht.</numerusform>
    <numerusform>{count} Aufrufe laufen noch. Sie werden angehalten; was schon geschehen ist, wird nicht rückgängig gemacht.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/app/quitting.py" />
   <source>{count} models are still at work.</source>
   <translation>
    <numerusform>Ein Modell arbeitet noch.</numerusform>
    <numerusform>{count} Modelle arbeiten noch.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>A call that asks waits at most</source>
   <translation>Wartezeit bei Rückfrage</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>A file (PEM) with authorities that are trusted besides the usual ones.</source>
   <translation>Eine Datei (PEM) mit Zertifizierungsstellen, denen außer den üblichen vertraut wird.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Add a plugin file…</source>
   <translation>Plugin-Datei hinzufügen…</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>After that its agent is told that nobody answered.</source>
   <translation>Danach erfährt sein Agent, dass niemand geantwortet hat.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Agents and their budgets of approvals</source>
   <translation>Agenten und ihre Freigabe-Budgets</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Allowed hosts</source>
   <translation>Erlaubte Hosts</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>An agent that makes more is told to wait.</source>
   <translation>Ein Agent, der mehr macht, muss warten.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Any free one</source>
   <translation>Ein freier</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Approvals</source>
   <translation>Freigaben</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>As the system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Autonomy</source>
   <translation>Autonomie</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Block tools that fail three times in a row</source>
   <translation>Werkzeuge sperren, die dreimal hintereinander fehlschlagen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Calls can be allowed from notices</source>
   <translation>Aufrufe aus Benachrichtigungen erlauben</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Calls of each agent</source>
   <translation>Aufrufe je Agent</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Cluster for batches</source>
   <translation>Cluster für Stapel</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Comfortable</source>
   <translation>Bequem</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Compact</source>
   <translation>Kompakt</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Copy</source>
   <translation>Kopieren</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Copy the command</source>
   <translation>Befehl kopieren</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Counts from when the gateway is switched on next; agents that know another address have to be told.</source>
   <translation>Gilt, sobald das Gateway das nächste Mal eingeschaltet wird; Agenten mit einer anderen Adresse brauchen die neue.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Data folder</source>
   <translation>Datenordner</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Density</source>
   <translation>Dichte</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Each with the tools that admit only callers who have it.</source>
   <translation>Jede mit den Werkzeugen, die nur Aufrufer mit dieser Rolle zulassen.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Every Python file in it is loaded, as if it had been added.</source>
   <translation>Jede Python-Datei darin wird geladen, als wäre sie hinzugefügt.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>For ever</source>
   <translation>Für immer</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>For five minutes, or until you unblock the tool on its page.</source>
   <translation>Für fünf Minuten, oder bis Sie das Werkzeug auf seiner Seite freigeben.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Forgets how large the window, its panels and its columns were; columns from the next start on.</source>
   <translation>Vergisst die Größen von Fenster, Leisten und Spalten; Spalten ab dem nächsten Start.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Further certificates</source>
   <translation>Weitere Zertifikate</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Gateway</source>
   <translation>Gateway</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>History, audit log and conversations. TOOL_CONSOLE_DATA moves it before a start.</source>
   <translation>Verlauf, Prüfprotokoll und Gespräche. TOOL_CONSOLE_DATA verlegt ihn vor einem Start.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>How high the rows of tables and trees are. Counts from the next start on.</source>
   <translation>Wie hoch die Zeilen von Tabellen und Bäumen sind. Gilt ab dem nächsten Start.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>How large everything is drawn. Counts from the next start on.</source>
   <translation>Wie groß alles gezeichnet wird. Gilt ab dem nächsten Start.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Keep calls for</source>
   <translation>Aufrufe aufbewahren</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Largest size</source>
   <translation>Höchstgröße</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Light or dark, or whatever the desktop shows.</source>
   <translation>Hell oder dunkel, oder wie es der Desktop zeigt.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Log</source>
   <translation>Protokoll</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>MCP servers for all who work on it. They start after your consent only.</source>
   <translation>MCP-Server für alle, die daran arbeiten. Sie starten erst mit Ihrer Zustimmung.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>No limit</source>
   <translation>Unbegrenzt</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>No notices on the desktop</source>
   <translation>Keine Benachrichtigungen auf dem Desktop</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>No plugin file is loaded.</source>
   <translation>Keine Plugin-Datei ist geladen.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>No project is open.</source>
   <translation>Es ist kein Projekt geöffnet.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>No tool asks for a role.</source>
   <translation>Kein Werkzeug verlangt eine Rolle.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Nothing disturbs while the window is not in front; questions wait in the window.</source>
   <translation>Nichts stört, solange das Fenster nicht vorn ist; Rückfragen warten im Fenster.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Nothing slides or turns. When it is off, the desktop's own choice counts.</source>
   <translation>Nichts gleitet oder dreht sich. Ist dies aus, gilt die Wahl des Desktops.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Notices sound</source>
   <translation>Benachrichtigungen mit Ton</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Older calls leave within a minute, and cannot be brought back.</source>
   <translation>Ältere Aufrufe werden binnen einer Minute gelöscht und lassen sich nicht zurückholen.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Open</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Open Agents</source>
   <translation>Agenten öffnen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Open another…</source>
   <translation>Anderen öffnen…</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Open {page}</source>
   <translation>{page} öffnen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Otherwise the page says that its file changed, and Reload loads it.</source>
   <translation>Sonst sagt die Seite, dass sich die Datei geändert hat, und „Neu laden“ lädt sie.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Plugin files</source>
   <translation>Plugin-Dateien</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Plugin folder</source>
   <translation>Plugin-Ordner</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Port of the gateway</source>
   <translation>Port des Gateways</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Project folder</source>
   <translation>Projektordner</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Proxy</source>
   <translation>Proxy</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Reduce motion</source>
   <translation>Weniger Bewegung</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Reload plugins as soon as they are saved</source>
   <translation>Plugins neu laden, sobald sie gespeichert werden</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Reset the window</source>
   <translation>Fenster zurücksetzen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Roles that tools ask for</source>
   <translation>Rollen, die Werkzeuge verlangen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Rules of the project</source>
   <translation>Regeln des Projekts</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Runs that begin from now on run their tools there; empty is this computer.</source>
   <translation>Läufe, die von nun an beginnen, führen ihre Werkzeuge dort aus; leer ist dieser Computer.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Scale</source>
   <translation>Skalierung</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Servers</source>
   <translation>Server</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Servers of the project</source>
   <translation>Server des Projekts</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Start in safe mode</source>
   <translation>Im abgesicherten Modus starten</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>The address of one, system for the desktop's, or none. This computer is always reached without one.</source>
   <translation>Eine Adresse, system für den des Desktops, oder none für keinen. Dieser Computer wird immer ohne Proxy erreicht.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>The desktop may play its sound with a notice.</source>
   <translation>Der Desktop darf zu einer Benachrichtigung seinen Ton abspielen.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>The least important entries that are written to the program's log.</source>
   <translation>Die unwichtigsten Einträge, die noch ins Protokoll des Programms geschrieben werden.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Theme</source>
   <translation>Farbschema</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>They can narrow what your own rules allow, and widen nothing.</source>
   <translation>Sie können einschränken, was Ihre eigenen Regeln erlauben, und nichts erweitern.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>They may do whatever you may, so add only files that you trust. A broken one keeps no other from loading.</source>
   <translation>Plugins haben alle Ihre Rechte; fügen Sie nur Dateien hinzu, denen Sie vertrauen. Eine fehlerhafte hindert keine andere am Laden.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Tools find files from here. Its servers, rules, APIs and settings of tools are in .tool-console.</source>
   <translation>Von hier aus finden Werkzeuge Dateien. Server, Regeln, APIs und Einstellungen von Werkzeugen liegen in .tool-console.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>What becomes of a question whose tool and rule say nothing else.</source>
   <translation>Was aus einer Rückfrage wird, wenn Werkzeug und Regel nichts anderes sagen.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>What is asked about when no rule speaks. Protected places are always asked about.</source>
   <translation>Wozu gefragt wird, wenn keine Regel gilt. Zu geschützten Orten wird immer gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>What the window speaks. Counts from the next start on; the command line speaks English.</source>
   <translation>Die Sprache des Fensters. Gilt ab dem nächsten Start; die Befehlszeile spricht Englisch.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>When it is off, a notice only opens the window.</source>
   <translation>Ist dies aus, öffnet eine Benachrichtigung nur das Fenster.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>When nobody answers</source>
   <translation>Wenn niemand antwortet</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>When the calls and their attachments take more, the oldest leave.</source>
   <translation>Brauchen die Aufrufe und ihre Anhänge mehr, werden die ältesten gelöscht.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>When the window closes</source>
   <translation>Wenn das Fenster geschlossen wird</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Whether agents that are connected are served on without the window.</source>
   <translation>Ob verbundene Agenten ohne das Fenster weiter bedient werden.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Whether other programs are served. Each of them is let in by you, on the Agents page.</source>
   <translation>Ob andere Programme bedient werden. Jedes lassen Sie auf der Seite „Agenten“ selbst zu.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Who may call, with which tools, and how many questions one may ask, stands on a page of its own.</source>
   <translation>Wer mit welchen Werkzeugen aufrufen und wie viele Rückfragen stellen darf, steht auf einer eigenen Seite.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Window as on a first start</source>
   <translation>Fenster wie beim ersten Start</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>With commas between, *.example.org for all below it. Others are refused; empty allows all.</source>
   <translation>Durch Kommas getrennt, *.example.org für alle darunter. Andere werden verweigert; leer erlaubt alle.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>With commas between. They count from the next call and the next question on.</source>
   <translation>Durch Kommas getrennt. Sie gelten ab dem nächsten Aufruf und der nächsten Rückfrage.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Without plugins, servers and agents, when one of them keeps the window from working. Close this window first.</source>
   <translation>Ohne Plugins, Server und Agenten, falls etwas davon das Fenster lahmlegt. Schließen Sie zuerst dieses Fenster.</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>Your roles</source>
   <translation>Ihre Rollen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>a min</source>
   <translation>pro min</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>address network</source>
   <translation>Adresse Netzwerk</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>animation accessibility</source>
   <translation>Animation Barrierefreiheit</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>budget profile token</source>
   <translation>Budget Profil Token</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>colours color mode</source>
   <translation>Farben Design Modus</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>compact rows height small</source>
   <translation>kompakt Zeilen Höhe klein</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>dask network where it runs</source>
   <translation>Dask Netzwerk wo es läuft</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>days</source>
   <translation>Tage</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>debug level verbose</source>
   <translation>Debug Stufe ausführlich</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>directory path</source>
   <translation>verzeichnis pfad</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>directory workspace</source>
   <translation>Verzeichnis Arbeitsbereich</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>disk space size path</source>
   <translation>Speicherplatz Größe Pfad</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>do not disturb</source>
   <translation>nicht stören</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>errors trust python</source>
   <translation>fehler vertrauen python</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>firewall domains internet</source>
   <translation>Firewall Domänen Internet</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>http https tunnel</source>
   <translation>HTTP HTTPS Tunnel</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>layout geometry panels</source>
   <translation>Anordnung Größe Leisten</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>mcp serve</source>
   <translation>MCP bedienen</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>operator, reviewer</source>
   <translation>operator, reviewer</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>permission allowed required</source>
   <translation>Berechtigung erlaubt erforderlich</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>quit background</source>
   <translation>beenden Hintergrund</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>rate limit</source>
   <translation>Ratenlimit</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>repair broken trouble</source>
   <translation>reparieren kaputt Störung</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>retention age</source>
   <translation>Aufbewahrung Alter</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>retention disk space</source>
   <translation>Aufbewahrung Speicherplatz</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>timeout approval</source>
   <translation>Zeitlimit Freigabe</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>timeout deny approval minutes</source>
   <translation>Zeitlimit ablehnen Freigabe Minuten</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>tls ssl authority company</source>
   <translation>TLS SSL Zertifizierungsstelle Firma</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>zoom size large dpi</source>
   <translation>Zoom Größe groß DPI</translation>
  </message>
  <message>
   <location filename="../../console/app/settings_list.py" />
   <source>{folder}, with {files} in {project_folder}</source>
   <translation>{folder}, mit {files} in {project_folder}</translation>
  </message>
  <message>
   <location filename="../../console/app/start.py" />
   <source>The log cannot be written ({error}). Let your user write there.</source>
   <translation>Das Protokoll kann nicht geschrieben werden ({error}). Geben Sie Ihrem Benutzer dort Schreibrechte.</translation>
  </message>
  <message>
   <location filename="../../console/app/status_summary.py" />
   <source>Calls are not recorded: {problem}</source>
   <translation>Aufrufe werden nicht aufgezeichnet: {problem}</translation>
  </message>
  <message>
   <location filename="../../console/app/status_summary.py" />
   <source>Calls are recorded again</source>
   <translation>Aufrufe werden wieder aufgezeichnet</translation>
  </message>
  <message>
   <location filename="../../console/app/steps_from_calls.py" />
   <source>past calls</source>
   <translation>frühere Aufrufe</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/app/steps_from_calls.py" />
   <source>{count} steps lack arguments that were hidden when the calls were kept; fill them in</source>
   <translation>
    <numerusform>1 Schritt fehlen Argumente, die beim Aufbewahren der Aufrufe verborgen wurden; füllen Sie sie aus</numerusform>
    <numerusform>{count} Schritten fehlen Argumente, die beim Aufbewahren der Aufrufe verborgen wurden; füllen Sie sie aus</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/app/steps_from_calls.py" />
   <source>{tool} is a step of {plan} now; the Batch page shows it</source>
   <translation>{tool} ist jetzt ein Schritt von {plan}; die Seite „Stapel“ zeigt ihn</translation>
  </message>
  <message>
   <location filename="../../console/app/tool_export.py" />
   <source>Export all tools as</source>
   <translation>Alle Werkzeuge exportieren als</translation>
  </message>
  <message>
   <location filename="../../console/app/tool_export.py" />
   <source>Manifest for programs (*.json)</source>
   <translation>Manifest für Programme (*.json)</translation>
  </message>
  <message>
   <location filename="../../console/app/tool_export.py" />
   <source>Page for people (*.md)</source>
   <translation>Seite für Menschen (*.md)</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/app/tool_export.py" />
   <source>{count:,} tools are in {path}.</source>
   <translation>
    <numerusform>1 Werkzeug steht in {path}.</numerusform>
    <numerusform>{count:,} Werkzeuge stehen in {path}.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/app/tool_export.py" />
   <source>{name} could not be written: {error}. Choose another place.</source>
   <translation>{name} konnte nicht geschrieben werden: {error}. Wählen Sie einen anderen Ort.</translation>
  </message>
  <message>
   <location filename="../../console/approval/approval_queue.py" />
   <source>Continue</source>
   <translation>Fortfahren</translation>
  </message>
  <message>
   <location filename="../../console/approval/approval_queue.py" />
   <source>Deny</source>
   <translation>Ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/approval_queue.py" />
   <source>Fail</source>
   <translation>Fehlschlagen</translation>
  </message>
  <message>
   <location filename="../../console/approval/approval_queue.py" />
   <source>Wait for an answer</source>
   <translation>Auf Antwort warten</translation>
  </message>
  <message>
   <location filename="../../console/approval/approval_queue.py" />
   <source>{action} after {time}</source>
   <translation>{action} nach {time}</translation>
  </message>
  <message>
   <location filename="../../console/approval/approval_queue.py" />
   <source>{hours} h</source>
   <translation>{hours} h</translation>
  </message>
  <message>
   <location filename="../../console/approval/approval_queue.py" />
   <source>{minutes} min</source>
   <translation>{minutes} min</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>A secret. It stays as it is</source>
   <translation>Ein Geheimnis. Es bleibt, wie es ist</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>All {count} at their defaults</source>
   <translation>Alle {count} auf Vorgabe</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Also set, and shown as JSON: {extra}</source>
   <translation>Außerdem gesetzt und als JSON zu sehen: {extra}</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Arguments</source>
   <translation>Argumente</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Arguments as JSON</source>
   <translation>Argumente als JSON</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>As asked:
{value}

Edited:
{now}</source>
   <translation>Wie angefragt:
{value}

Bearbeitet:
{now}</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Edit a value before you allow the call</source>
   <translation>Werte lassen sich vor dem Erlauben bearbeiten</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Edited</source>
   <translation>Bearbeitet</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Form</source>
   <translation>Formular</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>No arguments</source>
   <translation>Keine Argumente</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Show all</source>
   <translation>Alles zeigen</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Show all of {name}</source>
   <translation>Alles zeigen: {name}</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Show all {count} at their defaults: {names}</source>
   <translation>Alle {count} zeigen, die auf Vorgabe stehen: {names}</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Show arguments as</source>
   <translation>Argumente zeigen als</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Show less</source>
   <translation>Weniger zeigen</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Show less of {name}</source>
   <translation>Weniger zeigen: {name}</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Show {count} more at their defaults: {names}</source>
   <translation>{count} weitere zeigen, die auf Vorgabe stehen: {names}</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Undo all edits</source>
   <translation>Alle Änderungen rückgängig machen</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Undo the edit of {name}</source>
   <translation>Änderung an {name} rückgängig machen</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>Value</source>
   <translation>Wert</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>all of {name}</source>
   <translation>{name} vollständig</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>argument {name}</source>
   <translation>Argument {name}</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>argument {name}, hidden</source>
   <translation>Argument {name}, verborgen</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>left out</source>
   <translation>weggelassen</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>required</source>
   <translation>erforderlich</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>{count} more at their defaults</source>
   <translation>{count} weitere auf Vorgabe</translation>
  </message>
  <message>
   <location filename="../../console/approval/arguments_view.py" />
   <source>{size}: too long to edit here</source>
   <translation>{size}: zu lang, um es hier zu bearbeiten</translation>
  </message>
  <message>
   <location filename="../../console/approval/batch_view.py" />
   <source>Allow all {count}</source>
   <translation>Alle {count} erlauben</translation>
  </message>
  <message>
   <location filename="../../console/approval/batch_view.py" />
   <source>Decide one by one</source>
   <translation>Einzeln entscheiden</translation>
  </message>
  <message>
   <location filename="../../console/approval/batch_view.py" />
   <source>Deny all &amp;&amp; stop the runs</source>
   <translation>Alle ablehnen, Läufe anhalten</translation>
  </message>
  <message>
   <location filename="../../console/approval/batch_view.py" />
   <source>Deny all {count}</source>
   <translation>Alle {count} ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/batch_view.py" />
   <source>Optional. Sent to every caller if you deny</source>
   <translation>Optional. Geht an jeden Aufrufer, wenn Sie ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/batch_view.py" />
   <source>Reason</source>
   <translation>Grund</translation>
  </message>
  <message>
   <location filename="../../console/approval/batch_view.py" />
   <source>{count} calls of {tool}</source>
   <translation>{count} Aufrufe von {tool}</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Allowed</source>
   <translation>Erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Allowed, edited</source>
   <translation>Bearbeitet erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Answered</source>
   <translation>Beantwortet</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Caller</source>
   <translation>Aufrufer</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Continued after {span}</source>
   <translation>Nach {span} fortgefahren</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Decided by</source>
   <translation>Entschieden von</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Decision</source>
   <translation>Entscheidung</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Denied</source>
   <translation>Abgelehnt</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Expired after {span}</source>
   <translation>Nach {span} abgelaufen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Note</source>
   <translation>Anmerkung</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Only this call</source>
   <translation>Nur dieser Aufruf</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Remembered for</source>
   <translation>Gemerkt für</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Result handed on</source>
   <translation>Ergebnis weitergegeben</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Result withheld</source>
   <translation>Ergebnis zurückgehalten</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Time</source>
   <translation>Zeit</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Time taken</source>
   <translation>Dauer</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Tool</source>
   <translation>Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>Withdrawn</source>
   <translation>Zurückgezogen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>answered with an identical call</source>
   <translation>mit einem gleichen Aufruf beantwortet</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>no decisions today</source>
   <translation>heute keine Entscheidungen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>nobody answered</source>
   <translation>niemand hat geantwortet</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>none</source>
   <translation>keine</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>rule</source>
   <translation>Regel</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>timer</source>
   <translation>Zeitlimit</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/decision_model.py" />
   <source>today, {count:,} decisions</source>
   <translation>
    <numerusform>heute 1 Entscheidung</numerusform>
    <numerusform>heute {count:,} Entscheidungen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>told to ask first</source>
   <translation>soll erst fragen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>told to change something</source>
   <translation>soll etwas ändern</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>told to stop</source>
   <translation>soll aufhören</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>you</source>
   <translation>Sie</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>{count:,} allowed</source>
   <translation>{count:,} erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>{count:,} denied</source>
   <translation>{count:,} abgelehnt</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>{count:,} expired</source>
   <translation>{count:,} abgelaufen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>{names} changed</source>
   <translation>{names} geändert</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>{name} changed to {value}</source>
   <translation>{name} geändert in {value}</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>{name} left out</source>
   <translation>{name} weggelassen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decision_model.py" />
   <source>{outcome}, run stopped</source>
   <translation>{outcome}, Lauf angehalten</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_presenter.py" />
   <source>Always</source>
   <translation>Immer</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_presenter.py" />
   <source>Not any more</source>
   <translation>Nicht mehr</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_presenter.py" />
   <source>The decisions could not be written: {error}</source>
   <translation>Die Entscheidungen ließen sich nicht schreiben: {error}</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_presenter.py" />
   <source>This session</source>
   <translation>Diese Sitzung</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_presenter.py" />
   <source>Until {time:%d %b %H:%M}</source>
   <translation>Bis {time:%d %b %H:%M}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/decisions_presenter.py" />
   <source>{count:,} decisions written to {name}</source>
   <translation>
    <numerusform>1 Entscheidung in {name} geschrieben</numerusform>
    <numerusform>{count:,} Entscheidungen in {name} geschrieben</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Decisions</source>
   <translation>Entscheidungen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Every answer is kept here, whoever or whatever gave it.</source>
   <translation>Hier steht jede Antwort, gleich von wem oder wodurch sie kam.</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Export</source>
   <translation>Exportieren</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Export decisions as</source>
   <translation>Entscheidungen exportieren als</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Fewer words admit more decisions.</source>
   <translation>Weniger Wörter lassen mehr Entscheidungen zu.</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Filter</source>
   <translation>Filtern</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Filter the decisions</source>
   <translation>Entscheidungen filtern</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>History</source>
   <translation>Verlauf</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>No decisions yet</source>
   <translation>Noch keine Entscheidungen</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Nothing matches “{text}”</source>
   <translation>Nichts passt auf „{text}“</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>Table (*.csv)</source>
   <translation>Tabelle (*.csv)</translation>
  </message>
  <message>
   <location filename="../../console/approval/decisions_view.py" />
   <source>The history cannot be read</source>
   <translation>Der Verlauf ist nicht lesbar</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>As asked, before your edit: {short}.</source>
   <translation>Wie angefragt, vor Ihrer Änderung: {short}.</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>As asked: {short}. Looking at what your edit would do.</source>
   <translation>Wie angefragt: {short}. Es wird ermittelt, was Ihre Änderung bewirkt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>As asked: {short}. Nobody can tell what the edit would do.</source>
   <translation>Wie angefragt: {short}. Was die Änderung bewirkt, lässt sich nicht sagen.</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>Hide list</source>
   <translation>Liste ausblenden</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>Hide list of what it will touch</source>
   <translation>Liste dessen ausblenden, was er berührt</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>Show list</source>
   <translation>Liste zeigen</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>Show list of what it will touch</source>
   <translation>Liste dessen zeigen, was er berührt</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>Show the list of what it will touch</source>
   <translation>Die Liste dessen zeigen, was er berührt</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>This describes the call as asked. If your edit gives a new reason, you are asked again.</source>
   <translation>Das beschreibt den Aufruf wie angefragt. Ergibt Ihre Änderung einen neuen Grund, werden Sie noch einmal gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>What it did</source>
   <translation>Was er getan hat</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>What it will do</source>
   <translation>Was er tun wird</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>a warning</source>
   <translation>eine Warnung</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>what it will do</source>
   <translation>was er tun wird</translation>
  </message>
  <message>
   <location filename="../../console/approval/effects_view.py" />
   <source>what it will touch</source>
   <translation>was er berührt</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Allow as asked</source>
   <translation>Wie angefragt erlauben</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Allow edited</source>
   <translation>Bearbeitet erlauben</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Allow once</source>
   <translation>Einmal erlauben</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Allow once as asked</source>
   <translation>Einmal wie angefragt erlauben</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Allow the plan</source>
   <translation>Plan erlauben</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Available in a moment, so that a key meant for something else allows nothing</source>
   <translation>Gleich verfügbar, damit ein anders gemeinter Tastendruck nichts erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Correct the arguments first</source>
   <translation>Berichtigen Sie erst die Argumente</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Deny &amp;&amp; stop the run</source>
   <translation>Ablehnen, Lauf anhalten</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Deny and stop the run</source>
   <translation>Ablehnen und den Lauf anhalten</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Hand on</source>
   <translation>Weitergeben</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Hide them</source>
   <translation>Ausblenden</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Hide them, the past calls that this rule would have allowed</source>
   <translation>Ausblenden: die früheren Aufrufe, die diese Regel erlaubt hätte</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>I do this myself.</source>
   <translation>Das mache ich selbst.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>If you deny, the caller is also told not to try this again.</source>
   <translation>Wenn Sie ablehnen, erfährt der Aufrufer auch, dass er es nicht noch einmal versuchen soll.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>If you deny, the caller is also told to ask before it goes on.</source>
   <translation>Wenn Sie ablehnen, erfährt der Aufrufer auch, dass er vor dem Weitermachen fragen soll.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>If you deny, the caller is also told to change the call and try again.</source>
   <translation>Wenn Sie ablehnen, erfährt der Aufrufer auch, dass er den Aufruf ändern und es neu versuchen soll.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Look at everything first: the tool may destroy something, or nobody can tell</source>
   <translation>Sehen Sie erst alles an: Das Werkzeug kann etwas zerstören, oder niemand weiß es</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Not to try this again</source>
   <translation>Es nicht noch einmal zu versuchen</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Nothing more</source>
   <translation>Nichts weiter</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Ready-made reasons</source>
   <translation>Fertige Gründe</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Remember</source>
   <translation>Merken</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Remember for how long</source>
   <translation>Wie lange merken</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Remember for which calls</source>
   <translation>Für welche Aufrufe merken</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Remember until</source>
   <translation>Merken bis</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Rule: {rule}. If you deny, it denies.</source>
   <translation>Regel: {rule}. Wenn Sie ablehnen, lehnt sie ab.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Send answer</source>
   <translation>Antwort senden</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Show the past calls that this rule would have allowed</source>
   <translation>Die früheren Aufrufe zeigen, die diese Regel erlaubt hätte</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Show them</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Show them, the past calls that this rule would have allowed</source>
   <translation>Zeigen: die früheren Aufrufe, die diese Regel erlaubt hätte</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Show what is hidden</source>
   <translation>Verborgenes zeigen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/footer_view.py" />
   <source>Show what is hidden: {count} parts are still to be seen</source>
   <translation>
    <numerusform>Verborgenes zeigen: 1 Teil ist noch anzusehen</numerusform>
    <numerusform>Verborgenes zeigen: {count} Teile sind noch anzusehen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Stay in the project folder.</source>
   <translation>Bleib im Projektordner.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Such calls are denied from now on, as chosen above</source>
   <translation>Solche Aufrufe werden ab jetzt abgelehnt, wie oben gewählt</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Tell me first what it is for.</source>
   <translation>Sag mir erst, wozu.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Tell the caller</source>
   <translation>Dem Aufrufer sagen</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>There are no earlier calls to try it on.</source>
   <translation>Es gibt keine früheren Aufrufe, an denen sie sich prüfen ließe.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>This is not needed.</source>
   <translation>Das ist nicht nötig.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>This takes too much. Take less.</source>
   <translation>Das ist zu viel. Nimm weniger.</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>To ask before it goes on</source>
   <translation>Vor dem Weitermachen zu fragen</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>To change the call and try again</source>
   <translation>Den Aufruf zu ändern und es neu zu versuchen</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>Until {date}</source>
   <translation>Bis {date}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/footer_view.py" />
   <source>Would have allowed {matched:,} of the last {count:,} calls.</source>
   <translation>
    <numerusform>Hätte {matched:,} von dem 1 früheren Aufruf erlaubt.</numerusform>
    <numerusform>Hätte {matched:,} der letzten {count:,} Aufrufe erlaubt.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>past calls that this rule would have allowed</source>
   <translation>frühere Aufrufe, die diese Regel erlaubt hätte</translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>the rule</source>
   <translation>die Regel</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/footer_view.py" />
   <source>{count} parts are still to be seen before the call can be allowed</source>
   <translation>
    <numerusform>1 Teil ist noch anzusehen, bevor der Aufruf erlaubt werden kann</numerusform>
    <numerusform>{count} Teile sind noch anzusehen, bevor der Aufruf erlaubt werden kann</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/approval/footer_view.py" />
   <source>{span}, for {calls}</source>
   <translation>{span}, für {calls}</translation>
  </message>
  <message>
   <location filename="../../console/approval/header_view.py" />
   <source>+5 min</source>
   <translation>+5 min</translation>
  </message>
  <message>
   <location filename="../../console/approval/header_view.py" />
   <source>Leave it open for 5 more minutes</source>
   <translation>5 Minuten länger offen lassen</translation>
  </message>
  <message>
   <location filename="../../console/approval/header_view.py" />
   <source>{count} more to answer after this one. Show all on the Approvals page</source>
   <translation>{count} weitere nach dieser. Alle auf der Seite Freigaben zeigen</translation>
  </message>
  <message>
   <location filename="../../console/approval/header_view.py" />
   <source>{number} of {total}</source>
   <translation>{number} von {total}</translation>
  </message>
  <message>
   <location filename="../../console/approval/header_view.py" />
   <source>{number} of {total}, show all</source>
   <translation>{number} von {total}, alle zeigen</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source> · call {id} · {time}</source>
   <translation> · Aufruf {id} · {time}</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Asked by </source>
   <translation>Angefragt von </translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Asked by agent </source>
   <translation>Angefragt vom Agenten </translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Asked by batch </source>
   <translation>Angefragt vom Stapel </translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Continues automatically in</source>
   <translation>Läuft weiter in</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Denied automatically in</source>
   <translation>Wird abgelehnt in</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Fails automatically in</source>
   <translation>Schlägt fehl in</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>For 1 hour</source>
   <translation>Für 1 Stunde</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>It needs no answer any more. Nothing was allowed.</source>
   <translation>Es braucht keine Antwort mehr. Nichts wurde erlaubt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Nobody answered within {time}. {end}</source>
   <translation>Innerhalb von {time} hat niemand geantwortet. {end}</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Only somebody with the role {role!r} may allow it. You have no role.</source>
   <translation>Nur wer die Rolle {role!r} hat, darf es erlauben. Sie haben keine Rolle.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Only somebody with the role {role!r} may allow it. Your roles: {own}.</source>
   <translation>Nur wer die Rolle {role!r} hat, darf es erlauben. Ihre Rollen: {own}.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Optional. Sent to the agent if you deny</source>
   <translation>Optional. Geht an den Agenten, wenn Sie ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Optional. Sent to the caller if you deny</source>
   <translation>Optional. Geht an den Aufrufer, wenn Sie ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Optional. Shown with the batch if you deny</source>
   <translation>Optional. Steht beim Stapel, wenn Sie ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Optional. Shown with the call if you deny</source>
   <translation>Optional. Steht beim Aufruf, wenn Sie ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>The call failed.</source>
   <translation>Der Aufruf ist fehlgeschlagen.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>The call goes on as asked.</source>
   <translation>Der Aufruf geht weiter wie angefragt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>The call was denied.</source>
   <translation>Der Aufruf wurde abgelehnt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>The call was stopped.</source>
   <translation>Der Aufruf wurde angehalten.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>The request is void.</source>
   <translation>Die Rückfrage gilt nicht mehr.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>The tool goes on.</source>
   <translation>Das Werkzeug macht weiter.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>The tool was told no.</source>
   <translation>Das Werkzeug hat ein Nein bekommen.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Time is up.</source>
   <translation>Die Zeit ist um.</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Until a date</source>
   <translation>Bis zu einem Datum</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Until the end of today</source>
   <translation>Bis heute Abend</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>Waits until you answer</source>
   <translation>Wartet auf Ihre Antwort</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>and {more:,} more</source>
   <translation>und {more:,} weitere</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>asks</source>
   <translation>fragt</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>wants to hand on its result</source>
   <translation>will sein Ergebnis weitergeben</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>wants to run</source>
   <translation>soll laufen</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>you</source>
   <comment>asked by</comment>
   <translation>Ihnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>{minutes:g} min</source>
   <translation>{minutes:g} min</translation>
  </message>
  <message>
   <location filename="../../console/approval/model.py" />
   <source>{why}. Nothing was allowed by it.</source>
   <translation>{why}. Nichts wurde dadurch erlaubt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/own_roles.py" />
   <source>expected names of roles with commas between, got {text!r}</source>
   <translation>erwartet werden Namen von Rollen mit Kommas dazwischen, nicht {text!r}</translation>
  </message>
  <message>
   <location filename="../../console/approval/page.py" />
   <source>Deny all</source>
   <translation>Alle ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/approval/page.py" />
   <source>Deny everything?</source>
   <translation>Alles ablehnen?</translation>
  </message>
  <message>
   <location filename="../../console/approval/page.py" />
   <source>Nothing runs before you answer.</source>
   <translation>Nichts läuft, bevor Sie antworten.</translation>
  </message>
  <message>
   <location filename="../../console/approval/page.py" />
   <source>asks you something</source>
   <translation>fragt Sie etwas</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/page.py" />
   <source>{count} calls denied</source>
   <translation>
    <numerusform>1 Aufruf abgelehnt</numerusform>
    <numerusform>{count} Aufrufe abgelehnt</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/page.py" />
   <source>{count} calls wait for your approval</source>
   <translation>
    <numerusform>1 Aufruf wartet auf Ihre Freigabe</numerusform>
    <numerusform>{count} Aufrufe warten auf Ihre Freigabe</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/page.py" />
   <source>{count} calls wait for your approval. Their callers are told that you denied them.</source>
   <translation>
    <numerusform>1 Aufruf wartet auf Ihre Freigabe. Sein Aufrufer erfährt, dass Sie ihn abgelehnt haben.</numerusform>
    <numerusform>{count} Aufrufe warten auf Ihre Freigabe. Ihre Aufrufer erfahren, dass Sie sie abgelehnt haben.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/approval/page_presenter.py" />
   <source>Only calls of one tool are decided together: {tool} is picked already</source>
   <translation>Zusammen entschieden werden nur Aufrufe eines Werkzeugs: {tool} ist schon gewählt</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/approval/page_presenter.py" />
   <source>{count} calls allowed</source>
   <translation>
    <numerusform>1 Aufruf erlaubt</numerusform>
    <numerusform>{count} Aufrufe erlaubt</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/approval/page_view.py" />
   <source>Calls that need your approval appear here, whoever makes them.</source>
   <translation>Hier erscheinen Aufrufe, die Ihre Freigabe brauchen, gleich von wem.</translation>
  </message>
  <message>
   <location filename="../../console/approval/page_view.py" />
   <source>J and K move in the list.</source>
   <translation>J und K bewegen sich in der Liste.</translation>
  </message>
  <message>
   <location filename="../../console/approval/page_view.py" />
   <source>No question chosen</source>
   <translation>Keine Rückfrage gewählt</translation>
  </message>
  <message>
   <location filename="../../console/approval/page_view.py" />
   <source>Nothing waits for you</source>
   <translation>Nichts wartet auf Sie</translation>
  </message>
  <message>
   <location filename="../../console/approval/page_view.py" />
   <source>Pending</source>
   <translation>Offen</translation>
  </message>
  <message>
   <location filename="../../console/approval/page_view.py" />
   <source>Remembered</source>
   <translation>Gemerkt</translation>
  </message>
  <message>
   <location filename="../../console/approval/page_view.py" />
   <source>What happens to a question that nobody answers, from the next one on</source>
   <translation>Was aus einer Rückfrage wird, die niemand beantwortet, ab der nächsten</translation>
  </message>
  <message>
   <location filename="../../console/approval/parts_view.py" />
   <source>A, then Enter</source>
   <translation>A, dann Eingabe</translation>
  </message>
  <message>
   <location filename="../../console/approval/parts_view.py" />
   <source>D, then Enter</source>
   <translation>D, dann Eingabe</translation>
  </message>
  <message>
   <location filename="../../console/approval/parts_view.py" />
   <source>Enter to confirm</source>
   <translation>Eingabe bestätigt</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>Agree to {step} with whatever arguments</source>
   <translation>{step} mit beliebigen Argumenten zustimmen</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>All {count} of them</source>
   <translation>Alle {count}</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>Arguments of the chosen line</source>
   <translation>Argumente der gewählten Zeile</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>Arguments that are not known yet</source>
   <translation>Noch nicht bekannte Argumente</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>Some arguments come from the results of earlier steps. These calls are asked about when their turn comes, unless you agree to them now, whatever their arguments will be:</source>
   <translation>Manche Argumente stammen aus den Ergebnissen früherer Schritte. Nach diesen Aufrufen werden Sie gefragt, wenn sie an der Reihe sind, außer Sie stimmen ihnen jetzt zu, gleich mit welchen Argumenten:</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>Steps</source>
   <translation>Schritte</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>Steps you are asked about</source>
   <translation>Schritte, nach denen Sie gefragt werden</translation>
  </message>
  <message>
   <location filename="../../console/approval/plan_view.py" />
   <source>the arguments</source>
   <translation>die Argumente</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>1 call</source>
   <translation>1 Aufruf</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>A call that takes a role is allowed by itself</source>
   <translation>Ein Aufruf, der eine Rolle verlangt, wird für sich erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>A plan is decided by itself: look at its steps first</source>
   <translation>Ein Plan wird für sich entschieden: Sehen Sie erst seine Schritte an</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>A value has letters that do not show</source>
   <translation>Ein Wert enthält unsichtbare Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>A value is too long to be judged here</source>
   <translation>Ein Wert ist zu lang, um ihn hier zu beurteilen</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>Asks</source>
   <translation>Fragt</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>Nobody is asked about {names} and {more:,} more.</source>
   <translation>Nach {names} und {more:,} weiteren wird nicht gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>Nobody is asked about {names}.</source>
   <translation>Nach {names} wird nicht gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>Questions of running tools and results are answered one by one</source>
   <translation>Rückfragen laufender Werkzeuge und zu Ergebnissen werden einzeln beantwortet</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>Step</source>
   <translation>Schritt</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>They may destroy something, or nobody can tell: each is allowed by itself</source>
   <translation>Sie können etwas zerstören, oder niemand weiß es: Jeder wird für sich erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>and {unseen:,} more like these</source>
   <translation>und {unseen:,} weitere dieser Art</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>asks first</source>
   <translation>fragt erst</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>by caller</source>
   <translation>nach Aufrufer</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>by tool</source>
   <translation>nach Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>changes a database</source>
   <translation>ändert eine Datenbank</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>done already</source>
   <translation>schon erledigt</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>highest risk first</source>
   <translation>höchstes Risiko zuerst</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>leaves this computer</source>
   <translation>verlässt diesen Rechner</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>more later</source>
   <translation>später mehr</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>oldest first</source>
   <translation>älteste zuerst</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>outside the project</source>
   <translation>außerhalb des Projekts</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>refused by a rule</source>
   <translation>von einer Regel verweigert</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>runs a program</source>
   <translation>führt ein Programm aus</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>soonest to expire first</source>
   <translation>zuerst ablaufende zuerst</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>when its turn comes</source>
   <translation>wenn er an der Reihe ist</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>{asking:,} of {looked_at:,} calls</source>
   <translation>{asking:,} von {looked_at:,} Aufrufen</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_rows.py" />
   <source>{who}, {count} identical calls</source>
   <translation>{who}, {count} gleiche Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_table_model.py" />
   <source>Question</source>
   <translation>Rückfrage</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_table_model.py" />
   <source>picked</source>
   <translation>gewählt</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Clear</source>
   <translation>Leeren</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Fewer filters admit more calls.</source>
   <translation>Weniger Filter lassen mehr Aufrufe zu.</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Filter the open questions</source>
   <translation>Offene Rückfragen filtern</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Filter…</source>
   <translation>Filtern…</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Nothing matches</source>
   <translation>Nichts passt</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Only high risk</source>
   <translation>Nur hohes Risiko</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Open questions</source>
   <translation>Offene Rückfragen</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>Order and filter</source>
   <translation>Ordnen und filtern</translation>
  </message>
  <message>
   <location filename="../../console/approval/queue_view.py" />
   <source>{listed} of {total}</source>
   <translation>{listed} von {total}</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>A rule asks</source>
   <translation>Eine Regel fragt</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>Armenian</source>
   <translation>armenische</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>Cyrillic</source>
   <translation>kyrillische</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>Greek</source>
   <translation>griechische</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>Letters that do not show</source>
   <translation>Unsichtbare Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>Letters that look like others</source>
   <translation>Verwechselbare Buchstaben</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>One answer counts for all</source>
   <translation>Eine Antwort gilt für alle</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>What {name} says of its risk</source>
   <translation>Was {name} über das Risiko sagt</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>Your policy asks</source>
   <translation>Ihre Richtlinie fragt</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>a rule asks</source>
   <translation>eine Regel fragt</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>letters that do not show</source>
   <translation>unsichtbare Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>letters that look like others</source>
   <translation>verwechselbare Buchstaben</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>one answer counts for all</source>
   <translation>eine Antwort gilt für alle</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>what {name} says of its risk</source>
   <translation>was {name} über das Risiko sagt</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>your policy asks</source>
   <translation>Ihre Richtlinie fragt</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>{name} has {words}</source>
   <translation>{name} enthält {words}</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>{name} is really {text}</source>
   <translation>{name} ist in Wirklichkeit {text}</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>{shown}, which mixes Latin and {script} letters</source>
   <translation>{shown}: mischt lateinische und {script} Buchstaben</translation>
  </message>
  <message>
   <location filename="../../console/approval/reasons.py" />
   <source>{words}. Nobody checked that.</source>
   <translation>{words}. Das hat niemand geprüft.</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_aids.py" />
   <source>The answer counts for this call only: no rule by itself would decide the next</source>
   <translation>Die Antwort gilt nur für diesen Aufruf: Keine Regel allein würde den nächsten entscheiden</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_aids.py" />
   <source>every tool of {source} when it {risk}</source>
   <translation>jedes Werkzeug von {source}, wenn gilt: {risk}</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_aids.py" />
   <source>this tool when it {risk}</source>
   <translation>dieses Werkzeug, wenn gilt: {risk}</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_aids.py" />
   <source>this tool with these arguments</source>
   <translation>dieses Werkzeug mit diesen Argumenten</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_view.py" />
   <source>Answer</source>
   <translation>Antwort</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_view.py" />
   <source>Result, as it would be handed on</source>
   <translation>Ergebnis, wie es weitergegeben würde</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_view.py" />
   <source>Sent to the tool. Ctrl+Enter sends it</source>
   <translation>Geht an das Werkzeug. Strg+Eingabe sendet</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_view.py" />
   <source>Why you are asked</source>
   <translation>Warum Sie gefragt werden</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_view.py" />
   <source>the question</source>
   <translation>die Rückfrage</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_view.py" />
   <source>the result</source>
   <translation>das Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/approval/review_view.py" />
   <source>the risk</source>
   <translation>das Risiko</translation>
  </message>
  <message>
   <location filename="../../console/assistant/answer_view.py" />
   <source>Code</source>
   <translation>Code</translation>
  </message>
  <message>
   <location filename="../../console/assistant/answer_view.py" />
   <source>Code in {language}</source>
   <translation>Code in {language}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/answer_view.py" />
   <source>Copy the code</source>
   <translation>Code kopieren</translation>
  </message>
  <message>
   <location filename="../../console/assistant/answer_view.py" />
   <source>code</source>
   <translation>Code</translation>
  </message>
  <message>
   <location filename="../../console/assistant/attachments_presenter.py" />
   <source>Instead of message {number}</source>
   <translation>Statt Nachricht {number}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/call_card_view.py" />
   <source>Copy the result</source>
   <translation>Ergebnis kopieren</translation>
  </message>
  <message>
   <location filename="../../console/assistant/call_card_view.py" />
   <source>Interrupted</source>
   <translation>Unterbrochen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/call_card_view.py" />
   <source>Needs you</source>
   <translation>Braucht Sie</translation>
  </message>
  <message>
   <location filename="../../console/assistant/call_card_view.py" />
   <source>Open in Tools</source>
   <translation>In Werkzeuge öffnen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/call_card_view.py" />
   <source>Result</source>
   <translation>Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/assistant/call_card_view.py" />
   <source>Result of the call</source>
   <translation>Ergebnis des Aufrufs</translation>
  </message>
  <message>
   <location filename="../../console/assistant/call_card_view.py" />
   <source>Show in History</source>
   <translation>Im Verlauf zeigen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/calls_dialog.py" />
   <source>Calls</source>
   <translation>Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/assistant/calls_dialog.py" />
   <source>Make this a batch</source>
   <translation>Daraus einen Stapel machen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/calls_dialog.py" />
   <source>Open on the Batch page</source>
   <translation>Auf der Seite Stapel öffnen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/calls_dialog.py" />
   <source>What an argument visibly took from an earlier result is taken from there again. Nothing runs yet.</source>
   <translation>Was ein Argument sichtbar aus einem früheren Ergebnis hat, wird wieder von dort genommen. Noch läuft nichts.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>Answer of {model}</source>
   <translation>Antwort von {model}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>Continue with this</source>
   <translation>Damit weitermachen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>Continue with {model}</source>
   <translation>Mit {model} weitermachen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>First</source>
   <translation>Erste</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>Second</source>
   <translation>Zweite</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>Stop {model}</source>
   <translation>{model} anhalten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>Two answers side by side</source>
   <translation>Zwei Antworten nebeneinander</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>{tokens} in</source>
   <translation>{tokens} ein</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>{tokens} out</source>
   <translation>{tokens} aus</translation>
  </message>
  <message>
   <location filename="../../console/assistant/compare_view.py" />
   <source>{which} answer, {model}</source>
   <translation>{which} Antwort, {model}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Ask something that the tools can answer</source>
   <translation>Fragen Sie etwas, das die Werkzeuge beantworten können</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Attach a text file or a picture</source>
   <translation>Eine Textdatei oder ein Bild anhängen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Choose a model first</source>
   <translation>Wählen Sie erst ein Modell</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Choose a model first; nothing is sent before</source>
   <translation>Wählen Sie erst ein Modell; vorher wird nichts gesendet</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Leave out {name}</source>
   <translation>{name} weglassen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Message</source>
   <translation>Nachricht</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Send</source>
   <translation>Senden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>The model is at work</source>
   <translation>Das Modell arbeitet</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>Write something first</source>
   <translation>Schreiben Sie erst etwas</translation>
  </message>
  <message>
   <location filename="../../console/assistant/composer_view.py" />
   <source>next turn about {tokens:,} tokens</source>
   <translation>nächste Runde ca. {tokens:,} Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Answers</source>
   <translation>Antworten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Context</source>
   <translation>Kontext</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>For how many turns a result is sent whose tool does not say; a summary leaves them out</source>
   <translation>Für wie viele Runden ein Ergebnis gesendet wird, dessen Werkzeug nichts dazu sagt; eine Zusammenfassung lässt sie weg</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Instructions</source>
   <translation>Anweisungen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Results</source>
   <translation>Ergebnisse</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Shares of the context</source>
   <translation>Anteile am Kontext</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Summarise older turns</source>
   <translation>Ältere zusammenfassen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Summarise older turns now</source>
   <translation>Ältere Runden jetzt zusammenfassen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Summary</source>
   <translation>Zusammenfassung</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>The model sums them up when the context is nearly full; the originals are kept</source>
   <translation>Das Modell fasst sie zusammen, wenn der Kontext fast voll ist; die Originale bleiben erhalten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Tools</source>
   <translation>Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>Turns to keep</source>
   <translation>Runden behalten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>You</source>
   <translation>Sie</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>about {tokens:,} tokens</source>
   <translation>ca. {tokens:,} Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>about {tokens:,} tokens of {most:,}, {share:.0%}</source>
   <translation>ca. {tokens:,} von {most:,} Token, {share:.0%}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>all</source>
   <translation>alle</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_bar_view.py" />
   <source>{part} {count:,} tokens</source>
   <translation>{part} {count:,} Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Instructions and rules</source>
   <translation>Anweisungen und Regeln</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Must always</source>
   <translation>Muss immer</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Must never</source>
   <translation>Darf nie</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>One rule a line. All of them are sent with every request, whatever tool the model uses.</source>
   <translation>Eine Regel je Zeile. Alle gehen mit jeder Anfrage mit, welches Werkzeug das Modell auch benutzt.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Send the turns again</source>
   <translation>Die Runden wieder senden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Send this summary</source>
   <translation>Zusammenfassung senden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Summary of older turns</source>
   <translation>Zusammenfassung älterer Runden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Summary of {turns}</source>
   <translation>Zusammenfassung: {turns}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>This is sent in the place of the {turns}. The turns stay in the file, and can be sent again.</source>
   <translation>Das wird anstelle von „{turns}“ gesendet. Die Runden bleiben in der Datei und lassen sich wieder senden.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_dialogs.py" />
   <source>Use these</source>
   <translation>Übernehmen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>1 turn</source>
   <translation>1 Runde</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>20 turns</source>
   <translation>20 Runden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>5 turns</source>
   <translation>5 Runden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>About how much the model reads at once; older turns are summed up before it is full</source>
   <translation>Etwa so viel liest das Modell auf einmal; bevor es voll ist, werden ältere Runden zusammengefasst</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>As its tool says</source>
   <translation>Wie sein Werkzeug sagt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Budget in tokens</source>
   <translation>Budget in Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Change instructions, {label}</source>
   <translation>Anweisungen ändern, {label}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Change summary of {label}</source>
   <translation>Zusammenfassung ändern: {label}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Context in tokens</source>
   <translation>Kontext in Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Cost</source>
   <translation>Kosten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Drop {label}</source>
   <translation>{label} weglassen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>From cache</source>
   <translation>Aus dem Cache</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Gone next turn</source>
   <translation>Nächste Runde weg</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Input</source>
   <translation>Eingabe</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Instructions, {label}</source>
   <translation>Anweisungen, {label}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Not sent any more</source>
   <translation>Geht nicht mehr mit</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Output</source>
   <translation>Ausgabe</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Parts of the context</source>
   <translation>Teile des Kontexts</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Pin {label}</source>
   <translation>{label} anheften</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Pinned: sent until it is unpinned</source>
   <translation>Angeheftet: geht mit, bis es gelöst wird</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Send {label} again</source>
   <translation>{label} wieder senden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Sent for ever</source>
   <translation>Geht für immer mit</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Sent for {count} more turns</source>
   <translation>Geht noch {count} Runden mit</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Sent with the next turn</source>
   <translation>Für die nächste Runde</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>This conversation</source>
   <translation>Dieses Gespräch</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Tokens in total</source>
   <translation>Token insgesamt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Tool definitions, {label}</source>
   <translation>Werkzeugdefinitionen, {label}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Total</source>
   <translation>Gesamt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Turns to keep {label}: {state}</source>
   <translation>Runden behalten, {label}: {state}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>Unpin {label}</source>
   <translation>{label} lösen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>You are asked before the conversation takes more tokens than this</source>
   <translation>Sie werden gefragt, bevor das Gespräch mehr Token braucht</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>n/a</source>
   <translation>k. A.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>no limit</source>
   <translation>unbegrenzt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>not known</source>
   <translation>nicht bekannt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>tokens</source>
   <translation>Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/context_view.py" />
   <source>{part} (left out)</source>
   <translation>{part} (weggelassen)</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Conversation</source>
   <translation>Gespräch</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Conversations</source>
   <translation>Gespräche</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Deleted “{title}”</source>
   <translation>„{title}“ gelöscht</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Filter conversations</source>
   <translation>Gespräche filtern</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Filter for other words of titles or messages.</source>
   <translation>Filtern Sie nach anderen Wörtern aus Titeln oder Nachrichten.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>New conversation</source>
   <translation>Neues Gespräch</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>No conversations yet</source>
   <translation>Noch keine Gespräche</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Rename…</source>
   <translation>Umbenennen…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Undo</source>
   <translation>Rückgängig</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>Undo the deletion</source>
   <translation>Löschen rückgängig machen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/conversations_view.py" />
   <source>What you ask a model is kept here.</source>
   <translation>Was Sie ein Modell fragen, bleibt hier.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/engine_assistant.py" />
   <source>No model: YAML that names the tool</source>
   <translation>Kein Modell: YAML, das das Werkzeug nennt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/engine_assistant.py" />
   <source>Wrote the test {name} and its record {record}</source>
   <translation>Den Test {name} und seine Aufzeichnung {record} geschrieben</translation>
  </message>
  <message>
   <location filename="../../console/assistant/engine_assistant.py" />
   <source>Wrote {name}</source>
   <translation>{name} geschrieben</translation>
  </message>
  <message>
   <location filename="../../console/assistant/engine_assistant.py" />
   <source>no provider is called {provider!r}; choose another model</source>
   <translation>kein Anbieter heißt {provider!r}; wählen Sie ein anderes Modell</translation>
  </message>
  <message>
   <location filename="../../console/assistant/engine_assistant.py" />
   <source>the conversation was deleted meanwhile; say it again in another one</source>
   <translation>das Gespräch wurde inzwischen gelöscht; sagen Sie es in einem anderen noch einmal</translation>
  </message>
  <message>
   <location filename="../../console/assistant/engine_assistant.py" />
   <source>{path} cannot be written: {error}</source>
   <translation>{path} lässt sich nicht schreiben: {error}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/engine_assistant.py" />
   <source>{title} (branch)</source>
   <translation>{title} (Zweig)</translation>
  </message>
  <message>
   <location filename="../../console/assistant/export_presenter.py" />
   <source>No call of this conversation ran, so there is nothing to make a batch of</source>
   <translation>In diesem Gespräch lief kein Aufruf, also gibt es nichts für einen Stapel</translation>
  </message>
  <message>
   <location filename="../../console/assistant/message_view.py" />
   <source>Assistant</source>
   <translation>Assistent</translation>
  </message>
  <message>
   <location filename="../../console/assistant/message_view.py" />
   <source>Branch from here</source>
   <translation>Von hier abzweigen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/message_view.py" />
   <source>Copy as Markdown</source>
   <translation>Als Markdown kopieren</translation>
  </message>
  <message>
   <location filename="../../console/assistant/message_view.py" />
   <source>Copy the code block</source>
   <translation>Codeblock kopieren</translation>
  </message>
  <message>
   <location filename="../../console/assistant/message_view.py" />
   <source>Copy the selection</source>
   <translation>Auswahl kopieren</translation>
  </message>
  <message>
   <location filename="../../console/assistant/message_view.py" />
   <source>Edit and send again</source>
   <translation>Bearbeiten und neu senden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Address</source>
   <translation>Adresse</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Ask the provider for the names of its models</source>
   <translation>Den Anbieter nach den Namen seiner Modelle fragen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Choose a model</source>
   <translation>Modell wählen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Keep in the keyring</source>
   <translation>Im Schlüsselbund behalten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Key</source>
   <translation>Schlüssel</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Key from</source>
   <translation>Schlüssel aus</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Keys are taken from the environment or the system's keyring, and never shown. Nothing is sent before you send.</source>
   <translation>Schlüssel kommen aus der Umgebung oder dem Schlüsselbund des Systems und werden nie gezeigt. Nichts geht hinaus, bevor Sie senden.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Known; write another one to replace it</source>
   <translation>Bekannt; schreiben Sie einen anderen, um ihn zu ersetzen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>List its models</source>
   <translation>Modelle auflisten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>None</source>
   <translation>Keiner</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Paste the key</source>
   <translation>Schlüssel einfügen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Provider</source>
   <translation>Anbieter</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Rename</source>
   <translation>Umbenennen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Rename the conversation</source>
   <translation>Gespräch umbenennen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>The provider names no models; write the name of one.</source>
   <translation>Der Anbieter nennt keine Modelle; schreiben Sie den Namen eines Modells.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Use this model</source>
   <translation>Dieses Modell nehmen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/model_dialog.py" />
   <source>Variable with the key</source>
   <translation>Variable mit dem Schlüssel</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>Cannot be read</source>
   <translation>Nicht lesbar</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>Last week</source>
   <translation>Letzte Woche</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>This week</source>
   <translation>Diese Woche</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>Today</source>
   <translation>Heute</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>Yesterday</source>
   <translation>Gestern</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>answering</source>
   <translation>antwortet</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>no tool calls</source>
   <translation>keine Werkzeugaufrufe</translation>
  </message>
  <message>
   <location filename="../../console/assistant/rows.py" />
   <source>waiting for you</source>
   <translation>wartet auf Sie</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/assistant/rows.py" />
   <source>{count} tool calls</source>
   <translation>
    <numerusform>1 Werkzeugaufruf</numerusform>
    <numerusform>{count} Werkzeugaufrufe</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/assistant/rows.py" />
   <source>{count} turns</source>
   <translation>
    <numerusform>1 Runde</numerusform>
    <numerusform>{count} Runden</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>Asked again in {wait_s:g} s: {why}</source>
   <translation>Neue Anfrage in {wait_s:g} s: {why}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>No answer.</source>
   <translation>Keine Antwort.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>Older turns are summed up; the Context panel shows the summary and undoes it</source>
   <translation>Ältere Runden sind zusammengefasst; die Leiste Kontext zeigt die Zusammenfassung und macht sie rückgängig</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>Put a key that may use it into the environment or the keyring, then Retry; for an address of your own, choose the model again and name the key in “Key from”.</source>
   <translation>Legen Sie einen Schlüssel, der es benutzen darf, in die Umgebung oder den Schlüsselbund, dann „Wiederholen“; bei einer eigenen Adresse wählen Sie das Modell neu und nennen den Schlüssel unter „Schlüssel aus“.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>Stopped.</source>
   <translation>Angehalten.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>The answer reached its limit.</source>
   <translation>Die Antwort hat ihre Grenze erreicht.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>The budget is reached.</source>
   <translation>Das Budget ist erreicht.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>The budget would be passed.</source>
   <translation>Das Budget würde überschritten.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>The limit of calls is reached.</source>
   <translation>Die Grenze der Aufrufe ist erreicht.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>The limit of requests is reached.</source>
   <translation>Die Grenze der Anfragen ist erreicht.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>The model refused to answer.</source>
   <translation>Das Modell hat die Antwort verweigert.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>There is no program for {url}.</source>
   <translation>Für {url} gibt es kein Programm.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>Thinking</source>
   <translation>Denkt nach</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>Waiting for the model</source>
   <translation>Wartet auf das Modell</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_presenter.py" />
   <source>{used:,} of {budget:,} tokens are used, the next request takes about {expected:,}. Go on up to {larger:,}?</source>
   <translation>{used:,} von {budget:,} Token sind verbraucht, die nächste Anfrage braucht etwa {expected:,}. Bis {larger:,} weitermachen?</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_view.py" />
   <source>Choose a model…</source>
   <translation>Modell wählen…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_view.py" />
   <source>Go on</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_view.py" />
   <source>Retry</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_view.py" />
   <source>Show earlier messages</source>
   <translation>Frühere Nachrichten zeigen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_view.py" />
   <source>Show the newest messages</source>
   <translation>Neueste Nachrichten zeigen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_view.py" />
   <source>Stop here</source>
   <translation>Hier anhalten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/thread_view.py" />
   <source>Stopped before its end</source>
   <translation>Vor dem Ende angehalten</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/assistant/thread_view.py" />
   <source>{count} pictures</source>
   <translation>
    <numerusform>1 Bild</numerusform>
    <numerusform>{count} Bilder</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>All definitions are sent with each turn, about {tokens} tokens.</source>
   <translation>Alle Definitionen gehen mit jeder Runde mit, etwa {tokens} Token.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>All definitions take about {tokens} tokens. Of more than 30 tools, the model gets a search and what it finds.</source>
   <translation>Alle Definitionen brauchen etwa {tokens} Token. Bei mehr als 30 Werkzeugen bekommt das Modell eine Suche und was sie findet.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>Filter the tools of the conversation</source>
   <translation>Werkzeuge des Gesprächs filtern</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>Filter tools</source>
   <translation>Werkzeuge filtern</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>Instructions and rules…</source>
   <translation>Anweisungen und Regeln…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>Of many tools, the model is sent a search and what it finds, not all definitions</source>
   <translation>Bei vielen Werkzeugen bekommt das Modell eine Suche und was sie findet, nicht alle Definitionen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>Offered tools</source>
   <translation>Angebotene Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>Send tools on demand</source>
   <translation>Werkzeuge bei Bedarf senden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>Tools of the conversation</source>
   <translation>Werkzeuge des Gesprächs</translation>
  </message>
  <message>
   <location filename="../../console/assistant/tools_view.py" />
   <source>{offered:,} of {tools:,} tools offered</source>
   <translation>{offered:,} von {tools:,} Werkzeugen angeboten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>Cost by turn, in dollars</source>
   <translation>Kosten je Runde, in Dollar</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>No budget; set one under Context</source>
   <translation>Kein Budget; setzen Sie eines unter Kontext</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>No turn has ended yet</source>
   <translation>Noch ist keine Runde zu Ende</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>The provider tells no cost</source>
   <translation>Der Anbieter nennt keine Kosten</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>Tokens</source>
   <translation>Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>Tokens by turn: read below, written above</source>
   <translation>Token je Runde: gelesen unten, geschrieben oben</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>Turns</source>
   <translation>Runden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>Usage by turn</source>
   <translation>Verbrauch je Runde</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>Usage of the conversation</source>
   <translation>Verbrauch des Gesprächs</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>What the bars show</source>
   <translation>Was die Balken zeigen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>{name} in all</source>
   <translation>{name} insgesamt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/usage_view.py" />
   <source>{share:.0%} of the budget of {budget:,} tokens</source>
   <translation>{share:.0%} des Budgets von {budget:,} Token</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>A file for pytest that makes the calls again</source>
   <translation>Eine Datei für pytest, die die Aufrufe wiederholt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Another model…</source>
   <translation>Anderes Modell…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Ask a model that uses the tools</source>
   <translation>Fragen Sie ein Modell, das die Werkzeuge benutzt</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Attach a file</source>
   <translation>Datei anhängen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Both models answer, side by side. Before the second one repeats what may change something, you are asked.</source>
   <translation>Beide Modelle antworten nebeneinander. Bevor das zweite wiederholt, was etwas ändern kann, werden Sie gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Choose a model, write below and send. Nothing is sent anywhere before, and risky calls ask you.</source>
   <translation>Wählen Sie ein Modell, schreiben Sie unten und senden Sie. Vorher geht nichts hinaus, und bei riskanten Aufrufen werden Sie gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Compare with a second model</source>
   <translation>Mit einem zweiten Modell vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Export as JSON…</source>
   <translation>Als JSON exportieren…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Export as Markdown…</source>
   <translation>Als Markdown exportieren…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Export the conversation</source>
   <translation>Gespräch exportieren</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Have a second model answer side by side</source>
   <translation>Ein zweites Modell daneben antworten lassen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>JSON (*.json)</source>
   <translation>JSON (*.json)</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Look again</source>
   <translation>Neu suchen</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Looking for models…</source>
   <translation>Modelle werden gesucht…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Make this a batch…</source>
   <translation>Daraus einen Stapel machen…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Make this a test…</source>
   <translation>Daraus einen Test machen…</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Markdown (*.md)</source>
   <translation>Markdown (*.md)</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Model {model}</source>
   <translation>Modell {model}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Models</source>
   <translation>Modelle</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>More about the conversation</source>
   <translation>Mehr zum Gespräch</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>No model answers on this computer, and no key of a provider was found. Start Ollama, llama.cpp or LM Studio, or set a key such as ANTHROPIC_API_KEY, then look again.</source>
   <translation>Auf diesem Rechner antwortet kein Modell, und es wurde kein Schlüssel eines Anbieters gefunden. Starten Sie Ollama, llama.cpp oder LM Studio, oder setzen Sie einen Schlüssel wie ANTHROPIC_API_KEY, und suchen Sie dann noch einmal.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>No model was found</source>
   <translation>Kein Modell gefunden</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>No second model</source>
   <translation>Kein zweites Modell</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Panel of the conversation</source>
   <translation>Leiste des Gesprächs</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Second model</source>
   <translation>Zweites Modell</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Second model {model}</source>
   <translation>Zweites Modell {model}</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Test (*.py)</source>
   <translation>Test (*.py)</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Text files and pictures (*)</source>
   <translation>Textdateien und Bilder (*)</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Usage</source>
   <translation>Verbrauch</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>Write below and send. The model may call the tools; risky calls ask you first.</source>
   <translation>Schreiben Sie unten und senden Sie. Das Modell kann die Werkzeuge aufrufen; vor riskanten Aufrufen werden Sie gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>no tools</source>
   <translation>keine Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/assistant/view.py" />
   <source>with {model}</source>
   <translation>mit {model}</translation>
  </message>
  <message>
   <location filename="../../console/batch/closing_dialog.py" />
   <source>Finished in the background, an icon beside the clock shows how far it is, and questions come as notices.</source>
   <translation>Läuft er im Hintergrund zu Ende, zeigt ein Symbol neben der Uhr den Stand, und Rückfragen kommen als Benachrichtigungen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/closing_dialog.py" />
   <source>Finished in the background, the window is made small, and questions come as notices.</source>
   <translation>Läuft er im Hintergrund zu Ende, wird das Fenster minimiert, und Rückfragen kommen als Benachrichtigungen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/closing_dialog.py" />
   <source>Show</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <location filename="../../console/batch/closing_dialog.py" />
   <source>{done:,} of {steps:,} steps are done, after {took}.</source>
   <translation>{done:,} von {steps:,} Schritten sind fertig, nach {took}.</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_presenter.py" />
   <source>These runs cannot be compared</source>
   <translation>Diese Läufe lassen sich nicht vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_presenter.py" />
   <source>{time} · not in this run</source>
   <translation>{time} · nicht in diesem Lauf</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>All steps came to the same</source>
   <translation>Alle Schritte ergaben dasselbe</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>Only in the earlier run</source>
   <translation>Nur im früheren Lauf</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>Only in the later run</source>
   <translation>Nur im späteren Lauf</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>The step came to the same</source>
   <translation>Der Schritt ergab dasselbe</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>another error</source>
   <translation>anderer Fehler</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>another result</source>
   <translation>anderes Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>arguments</source>
   <translation>Argumente</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>condition</source>
   <translation>Bedingung</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>faster: {shown}</source>
   <translation>schneller: {shown}</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>other settings</source>
   <translation>andere Einstellungen</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>other {names}</source>
   <translation>geändert: {names}</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>rows</source>
   <translation>Zeilen</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>slower: {shown}</source>
   <translation>langsamer: {shown}</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>tool</source>
   <translation>Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>what it waits for</source>
   <translation>worauf er wartet</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/compare_rows.py" />
   <source>{count:,} rows</source>
   <translation>
    <numerusform>1 Zeile</numerusform>
    <numerusform>{count:,} Zeilen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>{differ} of {total} steps differ</source>
   <translation>{differ} von {total} Schritten unterscheiden sich</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_rows.py" />
   <source>{words} · given otherwise: {parameters}</source>
   <translation>{words} · anders angegeben: {parameters}</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>All steps</source>
   <translation>Alle Schritte</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Both runs came to the same, step by step.</source>
   <translation>Beide Läufe ergaben Schritt für Schritt dasselbe.</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Choose one run, or two</source>
   <translation>Wählen Sie einen Lauf oder zwei</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Choose one to compare it with the run before, or two</source>
   <translation>Wählen Sie einen zum Vergleich mit dem vorigen, oder zwei</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Choose two runs.</source>
   <translation>Wählen Sie zwei Läufe.</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Differences</source>
   <translation>Unterschiede</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Done</source>
   <translation>Fertig</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Double-click a step to compare what it was given and what came of it</source>
   <translation>Doppelklicken Sie einen Schritt, um seine Argumente und sein Ergebnis zu vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Earlier</source>
   <translation>Früher</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Every run of the plan is kept here.</source>
   <translation>Hier wird jeder Lauf des Plans aufbewahrt.</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Later</source>
   <translation>Später</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>List</source>
   <translation>Liste</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Looking for runs</source>
   <translation>Läufe werden gesucht</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>No run yet</source>
   <translation>Noch kein Lauf</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Nothing</source>
   <translation>Nichts</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Nothing differs</source>
   <translation>Keine Unterschiede</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Nothing to compare with</source>
   <translation>Nichts zum Vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>One is compared with the run before it.</source>
   <translation>Einer wird mit dem Lauf davor verglichen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Runs of the plan</source>
   <translation>Läufe des Plans</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Runs of {plan}</source>
   <translation>Läufe von {plan}</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Show it on the page, where it can go on</source>
   <translation>Auf der Seite zeigen, wo er weitergehen kann</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Show this run</source>
   <translation>Diesen Lauf zeigen</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Started</source>
   <translation>Begonnen</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>State</source>
   <translation>Stand</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Stopped</source>
   <translation>Angehalten</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>This is the first run of the plan.</source>
   <translation>Das ist der erste Lauf des Plans.</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>Unsure</source>
   <translation>Unsicher</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>What differs</source>
   <translation>Unterschiede</translation>
  </message>
  <message>
   <location filename="../../console/batch/compare_view.py" />
   <source>{done} of {steps}</source>
   <translation>{done} von {steps}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/document.py" />
   <source>Add {count:,} steps</source>
   <translation>
    <numerusform>{count:,} Schritt hinzufügen</numerusform>
    <numerusform>{count:,} Schritte hinzufügen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Add {id}</source>
   <translation>{id} hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Another step is called {name!r}; give this one a name of its own</source>
   <translation>Ein anderer Schritt heißt {name!r}; geben Sie diesem einen eigenen Namen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Bring the draft back</source>
   <translation>Entwurf zurückholen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Change the plan</source>
   <translation>Plan ändern</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Change what {id} waits for</source>
   <translation>Ändern, worauf {id} wartet</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Change {id}</source>
   <translation>{id} ändern</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/document.py" />
   <source>Duplicate {count:,} steps</source>
   <translation>
    <numerusform>{count:,} Schritt duplizieren</numerusform>
    <numerusform>{count:,} Schritte duplizieren</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Move {count:,} steps</source>
   <translation>{count:,} Schritte verschieben</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Move {id}</source>
   <translation>{id} verschieben</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/document.py" />
   <source>Remove {count:,} steps</source>
   <translation>
    <numerusform>{count:,} Schritt entfernen</numerusform>
    <numerusform>{count:,} Schritte entfernen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Remove {id}</source>
   <translation>{id} entfernen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Rename {id}</source>
   <translation>{id} umbenennen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>Take over the file</source>
   <translation>Datei übernehmen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>The plan has no step {name!r} any more</source>
   <translation>Der Plan hat keinen Schritt {name!r} mehr</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>{circle} would be a circle, each waiting for the next</source>
   <translation>{circle} wäre ein Kreis, jeder wartet auf den nächsten</translation>
  </message>
  <message>
   <location filename="../../console/batch/document.py" />
   <source>{id} uses the result of {name}; change its arguments to wait no more</source>
   <translation>{id} benutzt das Ergebnis von {name}; ändern Sie die Argumente, damit er nicht mehr wartet</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>An argument has no column yet</source>
   <translation>Ein Argument hat noch keine Spalte</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>Columns: {columns}</source>
   <translation>Spalten: {columns}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>First row: {row}</source>
   <translation>Erste Zeile: {row}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>Make plan</source>
   <translation>Plan erstellen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>New plan from a CSV file</source>
   <translation>Neuer Plan aus einer CSV-Datei</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>One call for each row of {title}</source>
   <translation>Ein Aufruf für jede Zeile von {title}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>Take each argument from a column</source>
   <translation>Jedes Argument aus einer Spalte nehmen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>Tool for each row</source>
   <translation>Werkzeug für jede Zeile</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>Type a part of its name</source>
   <translation>Teil des Namens eingeben</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_csv_view.py" />
   <source>{name} has no column yet</source>
   <translation>{name} hat noch keine Spalte</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_presenter.py" />
   <source>Begin the plan</source>
   <translation>Plan beginnen</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_presenter.py" />
   <source>New plan</source>
   <translation>Neuer Plan</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_presenter.py" />
   <source>{name} was changed by another program and is no plan now: {problem}</source>
   <translation>{name} wurde von einem anderen Programm geändert und ist jetzt kein Plan: {problem}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_presenter.py" />
   <source>{name} was changed by another program: take that over, or keep yours</source>
   <translation>{name} wurde von einem anderen Programm geändert: Übernehmen Sie das oder behalten Sie Ihre Fassung</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_presenter.py" />
   <source>{name} was deleted or moved by another program; Save writes it again</source>
   <translation>{name} wurde von einem anderen Programm gelöscht oder verschoben; „Speichern“ schreibt die Datei neu</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>Expected JSON at {text:.40}: {error}</source>
   <translation>JSON erwartet bei {text:.40}: {error}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>Expected a JSON object or name=value: {error}</source>
   <translation>Ein JSON-Objekt oder Name=Wert erwartet: {error}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>Expected name=value, got {text:.40}</source>
   <translation>Name=Wert erwartet, gefunden: {text:.40}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>The clipboard holds no steps: it is nested too deeply</source>
   <translation>Die Zwischenablage enthält keine Schritte: Sie ist zu tief verschachtelt</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>The clipboard holds no steps: {message}</source>
   <translation>Die Zwischenablage enthält keine Schritte: {message}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>The clipboard holds no steps; copy some from a plan first</source>
   <translation>Die Zwischenablage enthält keine Schritte; kopieren Sie zuerst welche aus einem Plan</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>There is no step {word}; expected a number from 1 to {steps} or a step's name</source>
   <translation>Es gibt keinen Schritt {word}; erwartet wird eine Zahl von 1 bis {steps} oder der Name eines Schritts</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>{name} cannot be read as CSV: {reason}</source>
   <translation>{name} kann nicht als CSV gelesen werden: {reason}</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>{name} is empty; expected a first line that names the columns</source>
   <translation>{name} ist leer; erwartet wird eine erste Zeile mit den Namen der Spalten</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>{name} is given twice</source>
   <translation>{name} ist zweimal angegeben</translation>
  </message>
  <message>
   <location filename="../../console/batch/document_text.py" />
   <source>{name}: expected at most {most_columns} columns whose names differ</source>
   <translation>{name}: höchstens {most_columns} Spalten mit verschiedenen Namen erwartet</translation>
  </message>
  <message>
   <location filename="../../console/batch/drafts.py" />
   <source>The changes of the plan cannot be kept as a draft: {reason}</source>
   <translation>Die Änderungen des Plans können nicht als Entwurf aufbewahrt werden: {reason}</translation>
  </message>
  <message>
   <location filename="../../console/batch/drafts.py" />
   <source>The draft of a plan cannot be read; it is kept as {file}</source>
   <translation>Der Entwurf eines Plans kann nicht gelesen werden; er bleibt als {file} erhalten</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_presenter.py" />
   <source>Choose the tool that the step calls</source>
   <translation>Wählen Sie das Werkzeug, das der Schritt aufruft</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_presenter.py" />
   <source>Paste</source>
   <translation>Einfügen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_presenter.py" />
   <source>The arguments cannot be read as they stand there; mend them, or press Cancel</source>
   <translation>Die Argumente sind so nicht lesbar; berichtigen Sie sie oder drücken Sie „Abbrechen“</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_presenter.py" />
   <source>There is no tool {name!r} here</source>
   <translation>Hier gibt es kein Werkzeug {name!r}</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_presenter.py" />
   <source>What is written in the sheet of {name} could not be taken over</source>
   <translation>Was im Blatt von {name} steht, konnte nicht übernommen werden</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_presenter.py" />
   <source>While the plan runs, a step keeps its name and waits for the same steps</source>
   <translation>Während der Plan läuft, behält ein Schritt seinen Namen und wartet auf dieselben Schritte</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/editors_presenter.py" />
   <source>{count} steps are on the clipboard as YAML</source>
   <translation>
    <numerusform>{count} Schritt liegt als YAML in der Zwischenablage</numerusform>
    <numerusform>{count} Schritte liegen als YAML in der Zwischenablage</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/editors_presenter.py" />
   <source>{count} steps are taken out; Ctrl+Z brings them back</source>
   <translation>
    <numerusform>{count} Schritt ist entfernt; Strg+Z holt ihn zurück</numerusform>
    <numerusform>{count} Schritte sind entfernt; Strg+Z holt sie zurück</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_presenter.py" />
   <source>{name} is not in the plan any more; Ctrl+Z brings it back, Cancel gives up what is written here</source>
   <translation>{name} ist nicht mehr im Plan; Strg+Z holt ihn zurück, „Abbrechen“ verwirft, was hier steht</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>A file whose first line names the columns</source>
   <translation>Eine Datei, deren erste Zeile die Spalten nennt</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>A list, or one value a line</source>
   <translation>Eine Liste oder ein Wert je Zeile</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>A pattern of names</source>
   <translation>Ein Muster für Namen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>A value of an earlier step, the row or a parameter, as in ${steps.load.result}</source>
   <translation>Ein Wert eines früheren Schritts, der Zeile oder eines Parameters, wie ${steps.load.result}</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>An expression that must hold, or the step is skipped</source>
   <translation>Ein Ausdruck, der gelten muss, sonst wird der Schritt übersprungen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>CSV file</source>
   <translation>CSV-Datei</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Close the step</source>
   <translation>Schritt schließen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Earlier result</source>
   <translation>Früheres Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Edit the arguments as</source>
   <translation>Argumente bearbeiten als</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Files by name</source>
   <translation>Dateien nach Namen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Go on without it</source>
   <translation>Ohne ihn weitermachen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>How often a call that failed is made again</source>
   <translation>Wie oft ein fehlgeschlagener Aufruf wiederholt wird</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>JSON file</source>
   <translation>JSON-Datei</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Listed here</source>
   <translation>Hier aufgelistet</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Name of the step</source>
   <translation>Name des Schritts</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Once for each row; the arguments take parts of it, as in ${row.name}</source>
   <translation>Einmal je Zeile; die Argumente nehmen Teile daraus, wie ${row.name}</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Only if</source>
   <translation>Nur wenn</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Parameter {name}</source>
   <translation>Parameter {name}</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Repeat over</source>
   <translation>Wiederholen über</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Result of {name}</source>
   <translation>Ergebnis von {name}</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Retries</source>
   <translation>Wiederholungen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Runs after</source>
   <translation>Läuft nach</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Seconds that one call may take</source>
   <translation>Sekunden, die ein Aufruf dauern darf</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Steps whose results the arguments use need not be named</source>
   <translation>Schritte, deren Ergebnisse die Argumente benutzen, müssen nicht genannt werden</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Take an argument from an earlier step, the row or a parameter</source>
   <translation>Ein Argument aus einem früheren Schritt, der Zeile oder einem Parameter nehmen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Take from</source>
   <translation>Nehmen aus</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>The row's number</source>
   <translation>Nummer der Zeile</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>The tool is not idempotent, so a failed call is not made again</source>
   <translation>Das Werkzeug ist nicht idempotent, darum wird ein fehlgeschlagener Aufruf nicht wiederholt</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>The tool takes no arguments</source>
   <translation>Das Werkzeug nimmt keine Argumente</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>This row</source>
   <translation>Diese Zeile</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Those that wait for it run although it failed; its result is null then</source>
   <translation>Was auf ihn wartet, läuft trotz seines Fehlschlags; sein Ergebnis ist dann null</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Timeout in s</source>
   <translation>Zeitlimit in s</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Tool of the step</source>
   <translation>Werkzeug des Schritts</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>What is wrong with the step</source>
   <translation>Was an dem Schritt falsch ist</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>What the step is for</source>
   <translation>Wozu der Schritt dient</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>When and how</source>
   <translation>Wann und wie</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_step_view.py" />
   <source>Write a value</source>
   <translation>Wert eingeben</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Add step</source>
   <translation>Schritt hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Copy as YAML</source>
   <translation>Als YAML kopieren</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Copy as a table</source>
   <translation>Als Tabelle kopieren</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Cut</source>
   <translation>Ausschneiden</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Duplicate</source>
   <translation>Duplizieren</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Edit cell</source>
   <translation>Zelle bearbeiten</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Edit step…</source>
   <translation>Schritt bearbeiten…</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Move down</source>
   <translation>Nach unten</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Move up</source>
   <translation>Nach oben</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Not taken over: {refusal}</source>
   <translation>Nicht übernommen: {refusal}</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Paste steps</source>
   <translation>Schritte einfügen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Redo</source>
   <translation>Wiederherstellen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <location filename="../../console/batch/editors_table_view.py" />
   <source>{title} of step {number}</source>
   <translation>{title} von Schritt {number}</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>A run goes on; let it end, or cancel it, before another plan takes its place</source>
   <translation>Ein Lauf ist im Gang; lassen Sie ihn enden oder brechen Sie ihn ab, bevor ein anderer Plan an seine Stelle tritt</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>A run of {title} was interrupted.</source>
   <translation>Ein Lauf von {title} wurde unterbrochen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>Discard</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>It began {time}; {done} of {steps} steps are done.</source>
   <translation>Er begann {time}; {done} von {steps} Schritten sind fertig.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>Its changes, the last of them {time}, were not saved.</source>
   <translation>Seine Änderungen, die letzte {time}, wurden nicht gespeichert.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>Keep mine</source>
   <translation>Meine behalten</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>Leave it</source>
   <translation>Belassen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/files_presenter.py" />
   <source>May have run: {named}. You will be asked before they run.</source>
   <translation>
    <numerusform>Lief vielleicht: {named}. Sie werden gefragt, bevor er läuft.</numerusform>
    <numerusform>Liefen vielleicht: {named}. Sie werden gefragt, bevor sie laufen.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>Show it</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>Take over theirs</source>
   <translation>Fremde übernehmen</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>The run cannot go on: {error}</source>
   <translation>Der Lauf kann nicht weitergehen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>There is no plan to save yet: open one, or begin a new one and add a step</source>
   <translation>Es gibt noch keinen Plan zu speichern: Öffnen Sie einen oder beginnen Sie einen neuen und fügen Sie einen Schritt hinzu</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>Your own changes are not saved.</source>
   <translation>Ihre eigenen Änderungen sind nicht gespeichert.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>{count} more after this one.</source>
   <translation>{count} weitere nach diesem.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>{first}; and {count} more.</source>
   <translation>{first}; und {count} weitere.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>{name} cannot be opened.</source>
   <translation>{name} kann nicht geöffnet werden.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>{name} was changed by another program, and is shown as it is now</source>
   <translation>{name} wurde von einem anderen Programm geändert und erscheint im neuen Stand</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>{name} was changed by another program, and is shown as it is now; what runs goes on as it began</source>
   <translation>{name} wurde von einem anderen Programm geändert und erscheint im neuen Stand; was läuft, läuft weiter, wie es begann</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>{name} was changed by another program.</source>
   <translation>{name} wurde von einem anderen Programm geändert.</translation>
  </message>
  <message>
   <location filename="../../console/batch/files_presenter.py" />
   <source>{title} is a draft.</source>
   <translation>{title} ist ein Entwurf.</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_model.py" />
   <source>Queued</source>
   <translation>Eingereiht</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_painting.py" />
   <source>Graph of a plan</source>
   <translation>Graph eines Plans</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Fit the graph</source>
   <translation>Graph einpassen</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Graph</source>
   <translation>Graph</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Laying out {steps} steps</source>
   <translation>{steps} Schritte werden angeordnet</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>No steps yet</source>
   <translation>Noch keine Schritte</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Save as DOT…</source>
   <translation>Als DOT speichern…</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Save as PNG…</source>
   <translation>Als PNG speichern…</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Save as SVG…</source>
   <translation>Als SVG speichern…</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Save the graph as {format}</source>
   <translation>Graph als {format} speichern</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Steps and what they wait for will show here.</source>
   <translation>Hier erscheinen Schritte, und worauf sie warten.</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>The graph can be saved as DOT.</source>
   <translation>Der Graph kann als DOT gespeichert werden.</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>The plan can be used meanwhile.</source>
   <translation>Der Plan kann inzwischen benutzt werden.</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Zoom in</source>
   <translation>Vergrößern</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>Zoom out</source>
   <translation>Verkleinern</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>after {needs}</source>
   <translation>nach {needs}</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>after {needs} and {count} more</source>
   <translation>nach {needs} und {count} weiteren</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>critical path</source>
   <translation>kritischer Pfad</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>{needed} waits for {waiting} already: {circle}</source>
   <translation>{needed} wartet schon auf {waiting}: {circle}</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>{steps} steps are too many to draw</source>
   <translation>{steps} Schritte sind zu viele zum Zeichnen</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>{waiting} waits for {needed} already</source>
   <translation>{waiting} wartet schon auf {needed}</translation>
  </message>
  <message>
   <location filename="../../console/batch/graph_view.py" />
   <source>{word}, {rows} rows</source>
   <translation>{word}, {rows} Zeilen</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Batch</source>
   <translation>Stapel</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Cancelled</source>
   <translation>Abgebrochen</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Cannot run</source>
   <translation>Kann nicht laufen</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Graph as DOT…</source>
   <translation>Graph als DOT…</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Graphviz (*.dot)</source>
   <translation>Graphviz (*.dot)</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>JUnit XML (*.xml)</source>
   <translation>JUnit XML (*.xml)</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Looking ahead</source>
   <translation>Schaut voraus</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>No plan</source>
   <translation>Kein Plan</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Open plan…</source>
   <translation>Plan öffnen…</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Pause</source>
   <translation>Pausieren</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Paused</source>
   <translation>Pausiert</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Plan</source>
   <translation>Plan</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Plan: {name}</source>
   <translation>Plan: {name}</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Plan: {name}, not saved</source>
   <translation>Plan: {name}, nicht gespeichert</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Ready</source>
   <translation>Bereit</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Report as JUnit…</source>
   <translation>Bericht als JUnit…</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Result as JSON…</source>
   <translation>Ergebnis als JSON…</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Resume</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Retry failed</source>
   <translation>Fehler wiederholen</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Retry failed ({count})</source>
   <translation>Fehler wiederholen ({count})</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Run</source>
   <translation>Ausführen</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Save as…</source>
   <translation>Speichern unter…</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Starting</source>
   <translation>Startet</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>State: {text}</source>
   <translation>Stand: {text}</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>Steps as CSV…</source>
   <translation>Schritte als CSV…</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>none</source>
   <comment>plan</comment>
   <translation>keiner</translation>
  </message>
  <message>
   <location filename="../../console/batch/header_view.py" />
   <source>{count} may have run</source>
   <translation>{count} liefen vielleicht</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>More</source>
   <translation>Mehr</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>More about the plan</source>
   <translation>Mehr zum Plan</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>New plan from a CSV file…</source>
   <translation>Neuer Plan aus einer CSV-Datei…</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>On a Dask cluster that runs already, or on this computer. Calls are judged, asked about and recorded here in any case, and tools that hide something stay here. It counts for runs that begin from now on, of all plans.</source>
   <translation>Auf einem Dask-Cluster, der schon läuft, oder auf diesem Rechner. Aufrufe werden in jedem Fall hier beurteilt, erfragt und aufgezeichnet, und Werkzeuge, die etwas verbergen, bleiben hier. Es gilt für Läufe, die von jetzt an beginnen, in allen Plänen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Parameters and limits…</source>
   <translation>Parameter und Grenzwerte…</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Run with other values…</source>
   <translation>Mit anderen Werten ausführen…</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Run {title}</source>
   <translation>{title} ausführen</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Runs of this plan…</source>
   <translation>Läufe dieses Plans…</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Runs on {backend}…</source>
   <translation>Läuft auf {backend}…</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>The plan takes these values.</source>
   <translation>Der Plan nimmt diese Werte.</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Where it runs…</source>
   <translation>Wo er läuft…</translation>
  </message>
  <message>
   <location filename="../../console/batch/menu_presenter.py" />
   <source>Where the plan's tools run</source>
   <translation>Wo die Werkzeuge des Plans laufen</translation>
  </message>
  <message>
   <location filename="../../console/batch/model.py" />
   <source>After</source>
   <translation>Nach</translation>
  </message>
  <message>
   <location filename="../../console/batch/model.py" />
   <source>Duration</source>
   <translation>Dauer</translation>
  </message>
  <message>
   <location filename="../../console/batch/model.py" />
   <source>Progress</source>
   <comment>column</comment>
   <translation>Anteil</translation>
  </message>
  <message>
   <location filename="../../console/batch/model.py" />
   <source>Status</source>
   <translation>Status</translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>It waits for your answer about the whole plan.</source>
   <translation>Er wartet auf Ihre Antwort zum ganzen Plan.</translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{count:,} failed</source>
   <translation>{count:,} fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{count:,} may have run</source>
   <translation>{count:,} liefen vielleicht</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/page.py" />
   <source>{count:,} wait for your answer.</source>
   <translation>
    <numerusform>{count:,} wartet auf Ihre Antwort.</numerusform>
    <numerusform>{count:,} warten auf Ihre Antwort.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{plan} ended</source>
   <translation>{plan} ist zu Ende</translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{plan} ended, and needs you to look</source>
   <translation>{plan} ist zu Ende; sehen Sie nach</translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{plan} failed</source>
   <translation>{plan} ist fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{plan} is done</source>
   <translation>{plan} ist fertig</translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{plan}: waits for your answer</source>
   <translation>{plan}: wartet auf Ihre Antwort</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/page.py" />
   <source>{plan}: {over:,} of {count:,} steps are over.</source>
   <translation>
    <numerusform>{plan}: {over:,} von {count:,} Schritt ist vorbei.</numerusform>
    <numerusform>{plan}: {over:,} von {count:,} Schritten sind vorbei.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/page.py" />
   <source>{plan}: {over} of {steps} steps</source>
   <translation>{plan}: {over} von {steps} Schritten</translation>
  </message>
  <message>
   <location filename="../../console/batch/panels_presenter.py" />
   <source>Saved the graph as {name}.</source>
   <translation>Graph als {name} gespeichert.</translation>
  </message>
  <message>
   <location filename="../../console/batch/panels_presenter.py" />
   <source>The graph cannot be written to {path}. Choose another file.</source>
   <translation>Der Graph kann nicht nach {path} geschrieben werden. Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <location filename="../../console/batch/panels_presenter.py" />
   <source>The graph cannot be written: {error}. Choose another file.</source>
   <translation>Der Graph kann nicht geschrieben werden: {error}. Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Calls of one tool at a time</source>
   <translation>Gleichzeitige Aufrufe eines Werkzeugs</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Calls of the tools of one source at a time</source>
   <translation>Gleichzeitige Aufrufe der Werkzeuge einer Quelle</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Each in its turn</source>
   <translation>Jeder, wenn er an der Reihe ist</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Everything else is cancelled</source>
   <translation>Alles andere wird abgebrochen</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Expected an address such as dask://host:8786</source>
   <translation>Eine Adresse wie dask://host:8786 wird erwartet</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>How calls that need your approval ask for it</source>
   <translation>Wie Aufrufe, die Ihre Freigabe brauchen, darum bitten</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>How many calls run at a time</source>
   <translation>Wie viele Aufrufe gleichzeitig laufen</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Its scheduler, as dask://host:8786; empty for this computer</source>
   <translation>Sein Scheduler, etwa dask://host:8786; leer für diesen Rechner</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Once for all, before anything runs</source>
   <translation>Einmal für alle, bevor etwas läuft</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>One of the {what} has no name</source>
   <translation>{what}: ein Eintrag hat keinen Namen</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Seconds until what is unfinished is timed out; none never is</source>
   <translation>Sekunden, bis für Unfertiges die Zeit abläuft; leer: nie</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>The default of {name} is no {kind}: expected a {kind} as JSON, got {text!r:.60}</source>
   <translation>Die Vorgabe von {name} ist kein Wert des Typs {kind}: {kind} als JSON erwartet, gefunden: {text!r:.60}</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>The default of {name} is no {kind}: expected an {kind} as JSON, got {text!r:.60}</source>
   <translation>Die Vorgabe von {name} ist kein Wert des Typs {kind}: {kind} als JSON erwartet, gefunden: {text!r:.60}</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>They run on</source>
   <translation>Sie laufen weiter</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>What a failed step means to those that do not wait for it</source>
   <translation>Was ein fehlgeschlagener Schritt für jene bedeutet, die nicht auf ihn warten</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>What a run is given; expressions take it as ${parameters.NAME}</source>
   <translation>Was ein Lauf bekommt; Ausdrücke nehmen es als ${parameters.NAME}</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>What people call the plan</source>
   <translation>Wie der Plan genannt wird</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>Without one, a run asks for it</source>
   <translation>Ohne sie fragt ein Lauf danach</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>parameters</source>
   <translation>Parameter</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>sources</source>
   <translation>Quellen</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>tools</source>
   <translation>Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_presenter.py" />
   <source>{name} stands twice among the {what}</source>
   <translation>{what}: {name} steht zweimal da</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_view.py" />
   <source>A run goes on; this can be changed when it is over</source>
   <translation>Ein Lauf ist im Gang; das lässt sich danach ändern</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_view.py" />
   <source>Close parameters and limits</source>
   <translation>Parameter und Grenzwerte schließen</translation>
  </message>
  <message>
   <location filename="../../console/batch/parameters_view.py" />
   <source>Parameters and limits</source>
   <translation>Parameter und Grenzwerte</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/parameters_view.py" />
   <source>{count} values are missing or wrong</source>
   <translation>
    <numerusform>{count} Wert fehlt oder ist falsch</numerusform>
    <numerusform>{count} Werte fehlen oder sind falsch</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>A run goes on; its plan gets no further steps before it is over</source>
   <translation>Ein Lauf ist im Gang; sein Plan bekommt vorher keine weiteren Schritte</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>Add a step (Ins)</source>
   <translation>Schritt hinzufügen (Einfg)</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>Lose the changes of this plan?</source>
   <translation>Änderungen dieses Plans verwerfen?</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>Lose them</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>Plans cannot run there: {error}</source>
   <translation>Pläne können dort nicht laufen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>Plans run on this computer</source>
   <translation>Pläne laufen auf diesem Rechner</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>Plans run their tools on {backend}</source>
   <translation>Pläne führen ihre Werkzeuge auf {backend} aus</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>{step} is changed; Retry runs it as it is now</source>
   <translation>{step} ist geändert; „Wiederholen“ führt ihn im neuen Stand aus</translation>
  </message>
  <message>
   <location filename="../../console/batch/parts.py" />
   <source>{title} has changes that are not saved. Another plan in its place loses them.</source>
   <translation>{title} hat ungespeicherte Änderungen. Ein anderer Plan an seiner Stelle verliert sie.</translation>
  </message>
  <message>
   <location filename="../../console/batch/presenter.py" />
   <source>The plan did not run: {error}</source>
   <translation>Der Plan lief nicht: {error}</translation>
  </message>
  <message>
   <location filename="../../console/batch/presenter.py" />
   <source>The run ended early: {why} What is done is kept; start the program again to go on</source>
   <translation>Der Lauf endete vorzeitig: {why} Was fertig ist, bleibt erhalten; starten Sie das Programm neu, um fortzufahren</translation>
  </message>
  <message>
   <location filename="../../console/batch/presenter.py" />
   <source>{name} cannot be written ({reason}); choose another place</source>
   <translation>{name} kann nicht geschrieben werden ({reason}); wählen Sie einen anderen Ort</translation>
  </message>
  <message>
   <location filename="../../console/batch/presenter.py" />
   <source>{name} is not written: {error}</source>
   <translation>{name} wurde nicht geschrieben: {error}</translation>
  </message>
  <message>
   <location filename="../../console/batch/presenter.py" />
   <source>{name} is written</source>
   <translation>{name} ist geschrieben</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>, done near {done_near}</source>
   <translation>, fertig gegen {done_near}</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>A plan is running</source>
   <translation>Ein Plan läuft</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>About</source>
   <comment>a time</comment>
   <translation>Etwa</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Edit arguments</source>
   <translation>Argumente bearbeiten</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Elapsed</source>
   <translation>Vergangen</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Finish in the background</source>
   <translation>Im Hintergrund beenden</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Progress of the whole plan</source>
   <translation>Fortschritt des ganzen Plans</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Run it again</source>
   <translation>Erneut ausführen</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Show only what is {words}</source>
   <translation>Nur zeigen: {words}</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Skip</source>
   <translation>Überspringen</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Skip rows</source>
   <translation>Zeilen überspringen</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>Stopped, it can go on where it was when the program is started again.</source>
   <translation>Angehalten kann er nach einem Neustart des Programms dort weitergehen, wo er war.</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>{left} left</source>
   <translation>noch {left}</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>{percent:.0f}%</source>
   <translation>{percent:.0f} %</translation>
  </message>
  <message>
   <location filename="../../console/batch/progress_view.py" />
   <source>{steps}, show these steps only</source>
   <translation>{steps}, nur diese Schritte zeigen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/rows.py" />
   <source>And {count:,} problems more.</source>
   <translation>
    <numerusform>Und {count:,} weiteres Problem.</numerusform>
    <numerusform>Und {count:,} weitere Probleme.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Blocked</source>
   <translation>Blockiert</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Blocked by {held_by}</source>
   <translation>Blockiert von {held_by}</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Go on without the rows that failed</source>
   <translation>Ohne die fehlgeschlagenen Zeilen weitermachen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Looking at what would be asked</source>
   <translation>Schaut, was gefragt würde</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>May have run</source>
   <translation>Lief vielleicht</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Run again from here</source>
   <translation>Ab hier erneut ausführen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Show the step</source>
   <translation>Schritt zeigen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Skip it</source>
   <translation>Überspringen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Step {number}, {step}.</source>
   <translation>Schritt {number}, {step}.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/rows.py" />
   <source>Steps {numbers} wait for this one.</source>
   <translation>
    <numerusform>Schritt {numbers} wartet auf diesen.</numerusform>
    <numerusform>Schritte {numbers} warten auf diesen.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>Stop it</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>blocked</source>
   <translation>blockiert</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>cancelled</source>
   <translation>abgebrochen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>done</source>
   <translation>fertig</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>failed</source>
   <translation>fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>queued</source>
   <translation>eingereiht</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>running</source>
   <comment>steps</comment>
   <translation>laufen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>skipped</source>
   <translation>übersprungen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>started {time}</source>
   <translation>begonnen {time}</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>unsure</source>
   <translation>unsicher</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>waiting for you</source>
   <comment>steps</comment>
   <translation>warten auf Sie</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/rows.py" />
   <source>{count:,} items</source>
   <translation>
    <numerusform>1 Eintrag</numerusform>
    <numerusform>{count:,} Einträge</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/rows.py" />
   <source>{count:,} problems</source>
   <translation>
    <numerusform>{count:,} Problem</numerusform>
    <numerusform>{count:,} Probleme</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/rows.py" />
   <source>{count:,} steps</source>
   <translation>
    <numerusform>{count:,} Schritt</numerusform>
    <numerusform>{count:,} Schritte</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/rows.py" />
   <source>{count:,} workers</source>
   <translation>
    <numerusform>{count:,} Prozess</numerusform>
    <numerusform>{count:,} Prozesse</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/rows.py" />
   <source>{count} retries</source>
   <translation>
    <numerusform>{count} Wiederholung</numerusform>
    <numerusform>{count} Wiederholungen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>{done} of {total}</source>
   <translation>{done} von {total}</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>{words}, {failed} failed</source>
   <translation>{words}, {failed} fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/batch/rows.py" />
   <source>{words}, {looked} of {to_look_at}</source>
   <translation>{words}, {looked} von {to_look_at}</translation>
  </message>
  <message>
   <location filename="../../console/batch/runs.py" />
   <source>Its rows are not there yet: {name}</source>
   <translation>Seine Zeilen sind noch nicht da: {name}</translation>
  </message>
  <message>
   <location filename="../../console/batch/runs.py" />
   <source>May ask you first</source>
   <translation>Fragt Sie vielleicht zuerst</translation>
  </message>
  <message>
   <location filename="../../console/batch/runs.py" />
   <source>Will ask you first</source>
   <translation>Fragt Sie zuerst</translation>
  </message>
  <message>
   <location filename="../../console/batch/runs.py" />
   <source>Will be refused: {refusal}</source>
   <translation>Wird verweigert: {refusal}</translation>
  </message>
  <message>
   <location filename="../../console/batch/runs.py" />
   <source>another run is just being made ready; try again in a moment</source>
   <translation>ein anderer Lauf wird gerade vorbereitet; versuchen Sie es gleich noch einmal</translation>
  </message>
  <message>
   <location filename="../../console/batch/runs.py" />
   <source>there is no run; run the plan first</source>
   <translation>es gibt keinen Lauf; führen Sie den Plan zuerst aus</translation>
  </message>
  <message>
   <location filename="../../console/batch/side_view.py" />
   <source>Apply</source>
   <translation>Übernehmen</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Arguments of the step</source>
   <translation>Argumente des Schritts</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Ended</source>
   <translation>Ende</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Everything in them is known.</source>
   <translation>Alles in ihnen ist bekannt.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Its result shows here as soon as it has ended.</source>
   <translation>Sein Ergebnis erscheint hier, sobald er geendet hat.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Known later: {later}.</source>
   <translation>Später bekannt: {later}.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Mend what is wrong, and retry the step.</source>
   <translation>Beheben Sie, was falsch ist, und wiederholen Sie den Schritt.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>No result</source>
   <translation>Kein Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>No row has begun.</source>
   <translation>Keine Zeile hat begonnen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Nothing came of it yet</source>
   <translation>Noch kein Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Result of the step</source>
   <translation>Ergebnis des Schritts</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Row</source>
   <translation>Zeile</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Rows</source>
   <translation>Zeilen</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Rows that failed</source>
   <translation>Fehlgeschlagene Zeilen</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Step {number}, {step}</source>
   <translation>Schritt {number}, {step}</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>The step did not return anything.</source>
   <translation>Der Schritt gab nichts zurück.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>The step did not run.</source>
   <translation>Der Schritt lief nicht.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Those of the first row.</source>
   <translation>Die der ersten Zeile.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>What is shown of the step</source>
   <translation>Was vom Schritt gezeigt wird</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>Why</source>
   <translation>Warum</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/batch/step_view.py" />
   <source>{count:,} calls</source>
   <translation>
    <numerusform>{count:,} Aufruf</numerusform>
    <numerusform>{count:,} Aufrufe</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>{done} of {total} rows done</source>
   <translation>{done} von {total} Zeilen fertig</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>{done} rows done</source>
   <translation>{done} Zeilen fertig</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>{words}, none failed.</source>
   <translation>{words}, keine fehlgeschlagen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>{words}, {failed:,} failed, the first {shown:,} are listed.</source>
   <translation>{words}, {failed:,} fehlgeschlagen, die ersten {shown:,} stehen hier.</translation>
  </message>
  <message>
   <location filename="../../console/batch/step_view.py" />
   <source>{words}, {failed:,} failed.</source>
   <translation>{words}, {failed:,} fehlgeschlagen.</translation>
  </message>
  <message>
   <location filename="../../console/batch/table_view.py" />
   <source>Steps of the plan</source>
   <translation>Schritte des Plans</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_layout.py" />
   <source>In turn</source>
   <translation>Der Reihe nach</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_layout.py" />
   <source>Worker {number}</source>
   <translation>Prozess {number}</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_layout.py" />
   <source>dashed: planned from each tool's usual P50</source>
   <translation>gestrichelt: geplant nach dem üblichen P50 jedes Werkzeugs</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_layout.py" />
   <source>the rest</source>
   <translation>der Rest</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_layout.py" />
   <source>{note}, once step {last} is retried</source>
   <translation>{note}, sobald Schritt {last} wiederholt wird</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_layout.py" />
   <source>{note}, once steps {first} and {last} are retried</source>
   <translation>{note}, sobald die Schritte {first} und {last} wiederholt werden</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_layout.py" />
   <source>{note}, once {count} steps are retried</source>
   <translation>{note}, sobald {count} Schritte wiederholt werden</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>By step</source>
   <translation>Nach Schritt</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>By worker</source>
   <translation>Nach Prozess</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>Each step will show here as a bar while it runs.</source>
   <translation>Jeder Schritt erscheint hier als Balken, während er läuft.</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>Lanes</source>
   <translation>Bahnen</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>Nothing has run yet</source>
   <translation>Noch nichts gelaufen</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>Planned</source>
   <translation>Geplant</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>Show the whole time</source>
   <translation>Die ganze Zeit zeigen</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>Timeline</source>
   <translation>Zeitleiste</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>now {time}</source>
   <translation>jetzt {time}</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>{head}
from about {began} on, about {took}</source>
   <translation>{head}
ab etwa {began}, etwa {took}</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>{head}
from {began} on, {took}</source>
   <translation>{head}
ab {began}, {took}</translation>
  </message>
  <message>
   <location filename="../../console/batch/timeline_view.py" />
   <source>{step} {status}</source>
   <translation>{step}: {status}</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>A plan runs many tools over many inputs, in the right order.</source>
   <translation>Ein Plan führt viele Werkzeuge über viele Eingaben aus, in der richtigen Reihenfolge.</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>No plan is open</source>
   <translation>Kein Plan ist geöffnet</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>No step stands like that</source>
   <translation>Kein Schritt ist in diesem Stand</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>Open plan</source>
   <translation>Plan öffnen</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>Plans (*.yaml *.yml *.json)</source>
   <translation>Pläne (*.yaml *.yml *.json)</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>Save plan as</source>
   <translation>Plan speichern unter</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>Show all steps</source>
   <translation>Alle Schritte zeigen</translation>
  </message>
  <message>
   <location filename="../../console/batch/view.py" />
   <source>Tables (*.csv)</source>
   <translation>Tabellen (*.csv)</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>And {count} more</source>
   <translation>Und {count} weitere</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>Asks before it runs</source>
   <translation>Fragt vor dem Ausführen</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>Degraded</source>
   <translation>Beeinträchtigt</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>Down</source>
   <translation>Ausgefallen</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>It {why}</source>
   <translation>Hinweis: {why}</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>No run lately</source>
   <translation>Kein Lauf</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>Starred</source>
   <translation>Mit Stern</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>Up</source>
   <translation>OK</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>Usually {speed}</source>
   <translation>Meist {speed}</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>could not be loaded</source>
   <translation>konnte nicht geladen werden</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>fast</source>
   <translation>schnell</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>has no tools</source>
   <translation>hat keine Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>is not connected</source>
   <translation>ist nicht verbunden</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>medium</source>
   <translation>mittel</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>slow</source>
   <translation>langsam</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/browser/model.py" />
   <source>{count:,} tools</source>
   <translation>
    <numerusform>1 Werkzeug</numerusform>
    <numerusform>{count:,} Werkzeuge</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/browser/model.py" />
   <source>{count} findings in its description</source>
   <translation>
    <numerusform>1 Befund zur Beschreibung</numerusform>
    <numerusform>{count} Befunde zur Beschreibung</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>{count} tools</source>
   <translation>{count} Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/browser/model.py" />
   <source>≈ {count:,} tokens in each request, estimated</source>
   <translation>≈ {count:,} Token je Anfrage, geschätzt</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>A Python file with a tool that runs. It becomes a plugin, and its page follows whenever you save it.</source>
   <translation>Eine Python-Datei mit einem lauffähigen Werkzeug. Sie wird ein Plugin, und seine Seite folgt jedem Speichern.</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>Begin with</source>
   <translation>Beginnen mit</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>Browse…</source>
   <translation>Durchsuchen…</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>Choose the folder of the new tool</source>
   <translation>Ordner des neuen Werkzeugs wählen</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>Create</source>
   <translation>Anlegen</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>Folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>Makes {path}</source>
   <translation>Legt {path} an</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>New tool</source>
   <translation>Neues Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>Open the file in my editor</source>
   <translation>Datei in meinem Editor öffnen</translation>
  </message>
  <message>
   <location filename="../../console/browser/new_tool_dialog.py" />
   <source>a folder is needed, such as the project folder</source>
   <translation>ein Ordner ist nötig, etwa der Projektordner</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>As it was: {value}</source>
   <translation>Wie zuvor: {value}</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Asked for in each run</source>
   <translation>Wird bei jedem Lauf erfragt</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Asked for, and hidden</source>
   <translation>Wird erfragt und verborgen</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Choose the folder of the pipeline</source>
   <translation>Ordner der Pipeline wählen</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Description</source>
   <translation>Beschreibung</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Go on with its message</source>
   <translation>Mit der Meldung weitermachen</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>It takes no arguments.</source>
   <translation>Ohne Argumente.</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Leave out step {number}</source>
   <translation>Schritt {number} weglassen</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Make a pipeline</source>
   <translation>Pipeline anlegen</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Make pipeline</source>
   <translation>Pipeline anlegen</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>One tool that makes these calls again, in this order. Each step is a call of its own, with its own rules.</source>
   <translation>Ein Werkzeug, das diese Aufrufe in dieser Reihenfolge wiederholt. Jeder Schritt ist ein eigener Aufruf mit eigenen Regeln.</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Result of step {number}</source>
   <translation>Ergebnis von Schritt {number}</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Stop there</source>
   <translation>Dort anhalten</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>Text of step {number}</source>
   <translation>Text von Schritt {number}</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>What it does, as a model reads it</source>
   <translation>Was sie tut, wie ein Modell es liest</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>When a step fails</source>
   <translation>Wenn ein Schritt fehlschlägt</translation>
  </message>
  <message>
   <location filename="../../console/browser/pipeline_dialog.py" />
   <source>{name} of step {number}</source>
   <translation>{name} von Schritt {number}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/browser/presenter.py" />
   <source>; the built-in tools of the same name can be called as {names}</source>
   <translation>
    <numerusform>; das eingebaute Werkzeug gleichen Namens ist aufrufbar als {names}</numerusform>
    <numerusform>; die eingebauten Werkzeuge gleichen Namens sind aufrufbar als {names}</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>Copied the {kind} of {name}</source>
   <translation>{kind} von {name} kopiert</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/browser/presenter.py" />
   <source>Loaded {count:,} tools from {names}</source>
   <translation>
    <numerusform>1 Werkzeug aus {names} geladen</numerusform>
    <numerusform>{count:,} Werkzeuge aus {names} geladen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>May destroy something</source>
   <translation>Kann etwas zerstören</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>No plugin file changed</source>
   <translation>Keine Plugin-Datei hat sich geändert</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>No program shows folders here. The file is {path}</source>
   <translation>Kein Programm zeigt hier Ordner. Die Datei ist {path}</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>Reaches beyond this computer</source>
   <translation>Reicht über diesen Computer hinaus</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>The plugins could not be loaded: {error}</source>
   <translation>Die Plugins konnten nicht geladen werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>command line</source>
   <translation>Befehlszeile</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>its calls are held back</source>
   <translation>seine Aufrufe werden zurückgehalten</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>name</source>
   <translation>Name</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>needs the extra {extra}, of which {missing} is not installed</source>
   <translation>braucht das Extra {extra}, von dem {missing} nicht installiert ist</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>schema</source>
   <translation>Schema</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>{name!r} is gone, so nothing was copied</source>
   <translation>{name!r} gibt es nicht mehr, daher wurde nichts kopiert</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>{names} and {count:,} more</source>
   <translation>{names} und {count:,} weitere</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>{name} could not be loaded: {error}.</source>
   <translation>{name} konnte nicht geladen werden: {error}.</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>{name} could not be loaded: {error}. Its former tools stay.</source>
   <translation>{name} konnte nicht geladen werden: {error}. Die bisherigen Werkzeuge bleiben.</translation>
  </message>
  <message>
   <location filename="../../console/browser/presenter.py" />
   <source>{reason}; its calls are held back</source>
   <translation>{reason}; seine Aufrufe werden zurückgehalten</translation>
  </message>
  <message>
   <location filename="../../console/browser/tool_tree.py" />
   <source>Choose a Python file…</source>
   <translation>Python-Datei wählen…</translation>
  </message>
  <message>
   <location filename="../../console/browser/tool_tree.py" />
   <source>Connect a server…</source>
   <translation>Server verbinden…</translation>
  </message>
  <message>
   <location filename="../../console/browser/tool_tree.py" />
   <source>No built-in tools are loaded.</source>
   <translation>Keine eingebauten Werkzeuge geladen.</translation>
  </message>
  <message>
   <location filename="../../console/browser/tool_tree.py" />
   <source>No plugin files yet.</source>
   <translation>Noch keine Plugin-Dateien.</translation>
  </message>
  <message>
   <location filename="../../console/browser/tool_tree.py" />
   <source>No servers connected.</source>
   <translation>Keine Server verbunden.</translation>
  </message>
  <message>
   <location filename="../../console/browser/tool_tree.py" />
   <source>Show all {total:,} built-in tools</source>
   <translation>Alle {total:,} eingebauten Werkzeuge zeigen</translation>
  </message>
  <message>
   <location filename="../../console/browser/tool_tree.py" />
   <source>Show those chosen for this project</source>
   <translation>Für dieses Projekt gewählte zeigen</translation>
  </message>
  <message>
   <location filename="../../console/browser/tree_view.py" />
   <source>Tools tree</source>
   <translation>Baum der Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Add an API…</source>
   <translation>API hinzufügen…</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Add to batch</source>
   <translation>Zum Stapel hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Closest to “{words}”</source>
   <translation>Am nächsten an „{words}“</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Collapse all groups</source>
   <translation>Alle Gruppen einklappen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Copy as command line</source>
   <translation>Als Befehlszeile kopieren</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Copy name</source>
   <translation>Namen kopieren</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Copy schema</source>
   <translation>Schema kopieren</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Copy traceback</source>
   <translation>Traceback kopieren</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Expand all groups</source>
   <translation>Alle Gruppen ausklappen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Fast</source>
   <translation>Schnell</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Fast: under 100 ms. Slow: over 2 s. Half of the calls take less than that.</source>
   <translation>Schnell: unter 100 ms. Langsam: über 2 s. Die Hälfte der Aufrufe braucht weniger.</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Kinds of tools</source>
   <translation>Arten von Werkzeugen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Load again</source>
   <translation>Neu laden</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Medium</source>
   <translation>Mittel</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Narrow by kind</source>
   <translation>Nach Art eingrenzen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>New tool…</source>
   <translation>Neues Werkzeug…</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Nothing comes close to “{words}”</source>
   <translation>Nichts ähnelt „{words}“</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>One bar is fast, two are medium, three are slow. A shield asks before it runs.</source>
   <translation>Ein Balken ist schnell, zwei sind mittel, drei langsam. Ein Schild fragt vor dem Ausführen.</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Read its document again</source>
   <translation>Dokument neu lesen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Reload changed plugins</source>
   <translation>Geänderte Plugins neu laden</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Reload plugin</source>
   <translation>Plugin neu laden</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Remove star</source>
   <translation>Stern entfernen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Remove…</source>
   <translation>Entfernen…</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Run with last arguments</source>
   <translation>Mit letzten Argumenten ausführen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Show error</source>
   <translation>Fehler zeigen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Show file</source>
   <translation>Datei zeigen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Show server</source>
   <translation>Server zeigen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Show what it can do…</source>
   <translation>Zeigen, was sie kann…</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Slow</source>
   <translation>Langsam</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Star, to keep it shown</source>
   <translation>Mit Stern immer zeigen</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Tools filter</source>
   <translation>Filter der Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>Traceback</source>
   <translation>Traceback</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>med</source>
   <translation>mittel</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>needs approval</source>
   <translation>fragt erst</translation>
  </message>
  <message>
   <location filename="../../console/browser/view.py" />
   <source>{name} could not be loaded</source>
   <translation>{name} konnte nicht geladen werden</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>1 call in {span}</source>
   <translation>1 Aufruf in {span}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>A call usually takes from 100 ms to 2 s.</source>
   <translation>Ein Aufruf dauert meist 100 ms bis 2 s.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>A call usually takes less than 100 ms.</source>
   <translation>Ein Aufruf dauert meist weniger als 100 ms.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>A call usually takes more than 2 s.</source>
   <translation>Ein Aufruf dauert meist mehr als 2 s.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>A failed call is tried {attempts} times in all. Repeated: {again}.</source>
   <translation>Ein fehlgeschlagener Aufruf wird insgesamt {attempts}-mal versucht. Wiederholt: {again}.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>A person is asked before each call.</source>
   <translation>Vor jedem Aufruf wird ein Mensch gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>A second identical call does no further harm.</source>
   <translation>Ein zweiter gleicher Aufruf richtet keinen weiteren Schaden an.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>A tool of {replaced_by} has the name {own_name}, and calls of that name go there.</source>
   <translation>Ein Werkzeug von {replaced_by} heißt {own_name}, und Aufrufe mit diesem Namen gehen dorthin.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/badges.py" />
   <source>After {count} failures within {window} it is not started for {pause}.</source>
   <translation>
    <numerusform>Nach {count} Fehlschlag binnen {window} wird es {pause} lang nicht gestartet.</numerusform>
    <numerusform>Nach {count} Fehlschlägen binnen {window} wird es {pause} lang nicht gestartet.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>All attempts and the waits between them may take {span} together.</source>
   <translation>Alle Versuche und die Pausen dazwischen dürfen zusammen {span} dauern.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>All tools with the key {key!r} share it.</source>
   <translation>Alle Werkzeuge mit dem Schlüssel {key!r} teilen sie sich.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>An attempt may take {span}.</source>
   <translation>Ein Versuch darf {span} dauern.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Asks first</source>
   <translation>Fragt zuerst</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>At most {limit}.</source>
   <translation>Höchstens {limit}.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Breaker</source>
   <translation>Schutzschalter</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Cached {span}</source>
   <translation>{span} im Cache</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Destructive</source>
   <translation>Zerstörend</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Each caller sees only results of its own calls.</source>
   <translation>Jeder Aufrufer sieht nur Ergebnisse seiner eigenen Aufrufe.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Fallback</source>
   <translation>Ersatz</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Hedged after {span}</source>
   <translation>Zweiter Start nach {span}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Idempotent</source>
   <translation>Idempotent</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>It has the name of a built-in tool, which can be called as {replaces}.</source>
   <translation>Es heißt wie ein mitgeliefertes Werkzeug, das als {replaces} aufgerufen werden kann.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>It may destroy something that cannot be brought back.</source>
   <translation>Es kann etwas zerstören, das sich nicht wiederherstellen lässt.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>It reaches beyond this computer.</source>
   <translation>Es reicht über diesen Rechner hinaus.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>It runs in a worker process of its own: it can be stopped at any time, and its crash harms nothing else.</source>
   <translation>Es läuft in einem eigenen Arbeitsprozess: Es kann jederzeit angehalten werden, und sein Absturz schadet nichts anderem.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>It says that it changes nothing.</source>
   <translation>Es sagt, dass es nichts ändert.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>It {words}, so nobody can tell whether it changes something.</source>
   <translation>Es {words}; niemand weiß also, ob es etwas ändert.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>It {words}.</source>
   <translation>Es {words}.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Limit {span}</source>
   <translation>Grenzwert {span}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Limit {span} in all</source>
   <translation>Grenzwert {span} insgesamt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Medium</source>
   <comment>speed</comment>
   <translation>Mittel</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Network</source>
   <translation>Netzwerk</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Never</source>
   <translation>Nie</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Not tried live</source>
   <translation>Nicht live erprobt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Once</source>
   <translation>Einmal</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>One call runs at a time, the others wait.</source>
   <translation>Ein Aufruf läuft zurzeit, die anderen warten.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Own process</source>
   <translation>Eigener Prozess</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Rate limited</source>
   <translation>Rate begrenzt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Read-only</source>
   <translation>Liest nur</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Replaced</source>
   <translation>Ersetzt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Replaces a built-in tool</source>
   <translation>Ersetzt ein mitgeliefertes Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Risk not said</source>
   <translation>Risiko nicht angegeben</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Risk said in part</source>
   <translation>Risiko teils angegeben</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>The result of an identical call is used again for {span}.</source>
   <translation>Das Ergebnis eines gleichen Aufrufs wird {span} lang wiederverwendet.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Twice</source>
   <translation>Zweimal</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>Up to {attempts} attempts</source>
   <translation>Bis zu {attempts} Versuche</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>When it does not succeed, {name} answers in its place.</source>
   <translation>Gelingt es nicht, antwortet {name} an seiner Stelle.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>When it has not answered after {span}, it is started a second time; the first result counts.</source>
   <translation>Hat es nach {span} nicht geantwortet, wird es ein zweites Mal gestartet; das erste Ergebnis zählt.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>as usual</source>
   <translation>wie üblich</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>{calls} calls in {span}</source>
   <translation>{calls} Aufrufe in {span}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>{count} times</source>
   <translation>{count}-mal</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>{most} at a time</source>
   <translation>{most} gleichzeitig</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>{most} calls run at a time, others wait.</source>
   <translation>{most} Aufrufe laufen gleichzeitig, andere warten.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/badges.py" />
   <source>{times}, after {wait}</source>
   <translation>{times}, nach {wait}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Back</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Close this message</source>
   <translation>Diese Meldung schließen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Copy place</source>
   <translation>Stelle kopieren</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Details</source>
   <translation>Einzelheiten</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Less</source>
   <translation>Weniger</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Open in editor</source>
   <translation>Im Editor öffnen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Reload</source>
   <translation>Neu laden</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Run again</source>
   <translation>Erneut ausführen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Run uses the version before, which still works. Save the file again and the page follows.</source>
   <translation>„Ausführen“ nimmt die vorige Fassung, die noch läuft. Speichern Sie die Datei erneut, und die Seite folgt.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>Show again what this page showed before (Esc)</source>
   <translation>Wieder zeigen, was diese Seite vorher zeigte (Esc)</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>This page shows the version that is loaded; Reload takes the new one and keeps what you typed.</source>
   <translation>Diese Seite zeigt die geladene Fassung; „Neu laden“ nimmt die neue und behält Ihre Eingaben.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>{name} could not be loaded: {error}</source>
   <translation>{name} konnte nicht geladen werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/banner_view.py" />
   <source>{name} was saved</source>
   <translation>{name} wurde gespeichert</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>Errors</source>
   <translation>Fehler</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>Follow the end</source>
   <translation>Ende folgen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>Go to the newest line and stay there</source>
   <translation>Zur neuesten Zeile gehen und dort bleiben</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>Info and above</source>
   <translation>Ab Info</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>Levels shown</source>
   <translation>Gezeigte Stufen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>Logs</source>
   <translation>Protokoll</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>No entries</source>
   <translation>Keine Einträge</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>No log lines</source>
   <translation>Keine Protokollzeilen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>What the tool writes while it runs is shown here.</source>
   <translation>Hier steht, was das Werkzeug während des Laufs schreibt.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>{entries:,} entries. {last}</source>
   <translation>{entries:,} Einträge. {last}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/log_view.py" />
   <source>{shown} of {entries}</source>
   <translation>{shown} von {entries}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/model.py" />
   <source>Size</source>
   <translation>Größe</translation>
  </message>
  <message>
   <location filename="../../console/call_result/model.py" />
   <source>Time line</source>
   <translation>Zeitverlauf</translation>
  </message>
  <message>
   <location filename="../../console/call_result/model.py" />
   <source>Type</source>
   <translation>Art</translation>
  </message>
  <message>
   <location filename="../../console/call_result/model.py" />
   <source>Usual P50</source>
   <translation>P50 sonst</translation>
  </message>
  <message>
   <location filename="../../console/call_result/model.py" />
   <source>{size:,} bytes</source>
   <translation>{size:,} Byte</translation>
  </message>
  <message>
   <location filename="../../console/call_result/presenter.py" />
   <source>Not all attachments could be saved: {reason}. Choose another folder.</source>
   <translation>Nicht alle Anhänge konnten gespeichert werden: {reason}. Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/presenter.py" />
   <source>Saved as {path}.</source>
   <translation>Gespeichert als {path}.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/presenter.py" />
   <source>Saved {count} attachments in {folder}.</source>
   <translation>{count} Anhänge in {folder} gespeichert.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/presenter.py" />
   <source>before the reload</source>
   <translation>vor dem Neuladen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/presenter.py" />
   <source>{count:,} attachments</source>
   <translation>
    <numerusform>{count:,} Anhang</numerusform>
    <numerusform>{count:,} Anhänge</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/presenter.py" />
   <source>{count:,} log lines</source>
   <translation>
    <numerusform>{count:,} Protokollzeile</numerusform>
    <numerusform>{count:,} Protokollzeilen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/call_result/presenter.py" />
   <source>{lines} and {attachments}</source>
   <translation>{lines} und {attachments}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/presenter.py" />
   <source>{name} could not be saved: {reason}. Choose another place.</source>
   <translation>{name} konnte nicht gespeichert werden: {reason}. Wählen Sie einen anderen Ort.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>Last {count} calls</source>
   <translation>Letzte {count} Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>aborted</source>
   <translation>aufgegeben</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>denied</source>
   <translation>abgelehnt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>executed</source>
   <translation>ausgeführt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>not found</source>
   <comment>tool</comment>
   <translation>nicht gefunden</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>rejected</source>
   <translation>zurückgewiesen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>this one last</source>
   <translation>dieser zuletzt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>timed out</source>
   <translation>Zeit abgelaufen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>{count} failed</source>
   <translation>{count} fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/recent.py" />
   <source>{count} with a retry</source>
   <translation>{count} mit Wiederholung</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Attachments</source>
   <translation>Anhänge</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Calls of the history…</source>
   <translation>Aufrufe des Verlaufs…</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Close the search</source>
   <translation>Suche schließen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Compare the result</source>
   <translation>Ergebnis vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Compare this result with the one before the reload</source>
   <translation>Dieses Ergebnis mit dem vor dem Neuladen vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Compare with before</source>
   <translation>Mit vorher vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Find</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Form of the result</source>
   <translation>Form des Ergebnisses</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Maximise the result</source>
   <translation>Ergebnis maximieren</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>More actions</source>
   <translation>Weitere Aktionen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>More actions for the result</source>
   <translation>Weitere Aktionen für das Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Names</source>
   <translation>Namen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Next</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Pick with JMESPath, such as items[?price &gt; `10`].name</source>
   <translation>Mit JMESPath auswählen, etwa items[?price &gt; `10`].name</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Previous</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Show messages</source>
   <translation>Nachrichten zeigen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Show the arguments again</source>
   <translation>Argumente wieder zeigen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Text</source>
   <translation>Text</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Timing</source>
   <translation>Zeiten</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Views of the call</source>
   <translation>Ansichten des Aufrufs</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>Way to find</source>
   <translation>Art der Suche</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>With the run before</source>
   <translation>Mit dem vorigen Lauf</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>not found</source>
   <translation>nicht gefunden</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_header_view.py" />
   <source>{text} (Alt+{index})</source>
   <translation>{text} (Alt+{index})</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Copy the explanation</source>
   <translation>Erklärung kopieren</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Failure</source>
   <translation>Fehlschlag</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Go to this argument</source>
   <translation>Zu diesem Argument gehen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>It ended well and has no value to show.</source>
   <translation>Es endete gut und hat keinen Wert zu zeigen.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>It gave no reason.</source>
   <translation>Es nannte keinen Grund.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>It is shown here, with its logs and its times.</source>
   <translation>Es steht dann hier, mit Protokoll und Zeiten.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Its result is shown here when it ends.</source>
   <translation>Sein Ergebnis steht hier, wenn es endet.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Kept</source>
   <translation>Erhalten</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Remark</source>
   <translation>Anmerkung</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Run the tool to see its result</source>
   <translation>Führen Sie das Werkzeug aus, um sein Ergebnis zu sehen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Show log</source>
   <translation>Protokoll zeigen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Text so far</source>
   <translation>Text bisher</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>The tool returned nothing</source>
   <translation>Das Werkzeug gab nichts zurück</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>The tool runs</source>
   <translation>Das Werkzeug läuft</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>Try</source>
   <translation>Abhilfe</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>What the process wrote last</source>
   <translation>Was der Prozess zuletzt schrieb</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/result_view.py" />
   <source>{count:,} lines</source>
   <translation>
    <numerusform>{count:,} Zeile</numerusform>
    <numerusform>{count:,} Zeilen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>{done:g} of {total:g}</source>
   <translation>{done:g} von {total:g}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>{letters} letters so far</source>
   <translation>bisher {letters} Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>{rate:,.0f} a second</source>
   <translation>{rate:,.0f} pro Sekunde</translation>
  </message>
  <message>
   <location filename="../../console/call_result/result_view.py" />
   <source>{rate:,.3g} a second</source>
   <translation>{rate:,.3g} pro Sekunde</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>&lt; 0.1 ms</source>
   <translation>&lt; 0,1 ms</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>A trial call is under way.</source>
   <translation>Ein Probeaufruf läuft.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Answered by fallback {fallback}.</source>
   <translation>Beantwortet vom Ersatz {fallback}.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Answered by {fallback}</source>
   <translation>Beantwortet von {fallback}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>At most {most} calls run at a time.</source>
   <translation>Höchstens {most} Aufrufe laufen gleichzeitig.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/rows.py" />
   <source>Blocked until {until} after {count:,} failures in a row.</source>
   <translation>
    <numerusform>Blockiert bis {until} nach {count:,} Fehlschlag in Folge.</numerusform>
    <numerusform>Blockiert bis {until} nach {count:,} Fehlschlägen in Folge.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Calls of it are refused until then.</source>
   <translation>Aufrufe werden bis dahin verweigert.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Ends</source>
   <translation>Endet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Example {number}</source>
   <translation>Beispiel {number}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Failures</source>
   <translation>Fehlschläge</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>If it succeeds, the tool runs again as usual; if it fails, it is paused for longer.</source>
   <translation>Gelingt er, läuft das Werkzeug wieder wie üblich; schlägt er fehl, pausiert es länger.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>It admits {limit} at most.</source>
   <translation>Es lässt höchstens {limit} zu.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Last failure</source>
   <translation>Letzter Fehlschlag</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Last: {last_failure}</source>
   <translation>Zuletzt: {last_failure}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Next try</source>
   <translation>Nächster Versuch</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Next try {until}.</source>
   <translation>Nächster Versuch {until}.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Not all of the text came.</source>
   <translation>Der Text kam nicht vollständig an.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>On trial</source>
   <translation>Auf Probe</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>One call runs at a time.</source>
   <translation>Ein Aufruf läuft zurzeit.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Paused after {count:,} failures in {span}.</source>
   <translation>Pausiert nach {count:,} Fehlschlägen in {span}.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/rows.py" />
   <source>Paused after {count:,} failures.</source>
   <translation>
    <numerusform>Pausiert nach {count:,} Fehlschlag.</numerusform>
    <numerusform>Pausiert nach {count:,} Fehlschlägen.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Paused until a trial call succeeds.</source>
   <translation>Pausiert, bis ein Probeaufruf gelingt.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Reset breaker</source>
   <translation>Schutzschalter zurücksetzen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Since</source>
   <translation>Seit</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Stopped after {took}</source>
   <translation>Angehalten nach {took}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Stopping…</source>
   <translation>Hält an…</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>The next call is the trial.</source>
   <translation>Der nächste Aufruf ist die Probe.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>The reviewer said: {feedback}</source>
   <translation>Die prüfende Person sagte: {feedback}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>The worker process of {name} died</source>
   <translation>Der Arbeitsprozess von {name} ist gestorben</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>There is no tool {name}</source>
   <translation>Es gibt kein Werkzeug {name}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>This is what the tool had written by then.</source>
   <translation>Das hatte das Werkzeug bis dahin geschrieben.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Trial since</source>
   <translation>Auf Probe seit</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>Unblock</source>
   <translation>Sperre aufheben</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>arguments edited</source>
   <translation>Argumente geändert</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>cache hit</source>
   <translation>Cache-Treffer</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>cache miss</source>
   <translation>nicht im Cache</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>cache passed over</source>
   <translation>Cache übergangen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>not told</source>
   <translation>nicht genannt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>process {pid}</source>
   <translation>Prozess {pid}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>process {pid} ended</source>
   <translation>Prozess {pid} beendet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>waited {span}</source>
   <translation>{span} gewartet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>waited {span} between attempts</source>
   <translation>{span} zwischen Versuchen gewartet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>waited {span} for a permit</source>
   <translation>{span} auf eine Zulassung gewartet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>waited {span} for an answer</source>
   <translation>{span} auf eine Antwort gewartet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>waited {span} for approval</source>
   <translation>{span} auf Freigabe gewartet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>waited {span} for its turn</source>
   <translation>{span} gewartet, bis er an der Reihe war</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/rows.py" />
   <source>{count:,} calls wait for a permit.</source>
   <translation>
    <numerusform>{count:,} Aufruf wartet auf eine Zulassung.</numerusform>
    <numerusform>{count:,} Aufrufe warten auf eine Zulassung.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/rows.py" />
   <source>{count:,} calls wait for their turn.</source>
   <translation>
    <numerusform>{count:,} Aufruf wartet, bis er an der Reihe ist.</numerusform>
    <numerusform>{count:,} Aufrufe warten, bis sie an der Reihe sind.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} did not succeed ({reason}).</source>
   <translation>{name} ist nicht gelungen ({reason}).</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} did not succeed.</source>
   <translation>{name} ist nicht gelungen.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} failed</source>
   <translation>{name} ist fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} failed in all of {attempts} attempts</source>
   <translation>{name} ist in allen {attempts} Versuchen fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} ran out of time</source>
   <translation>Die Zeit für {name} ist abgelaufen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} was broken off</source>
   <translation>{name} wurde aufgegeben</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} was not allowed to run</source>
   <translation>{name} durfte nicht laufen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} was not available</source>
   <translation>{name} war nicht verfügbar</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} was not started</source>
   <translation>{name} wurde nicht gestartet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{name} was stopped</source>
   <translation>{name} wurde angehalten</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{took}, and {waited}</source>
   <translation>{took}, und {waited}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/rows.py" />
   <source>{why} The reviewer said: {feedback}</source>
   <translation>{why} Die prüfende Person sagte: {feedback}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/call_result/rows.py" />
   <source>{word} after {count} retries</source>
   <translation>
    <numerusform>{word} nach {count} Wiederholung</numerusform>
    <numerusform>{word} nach {count} Wiederholungen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/call_result/timing_view.py" />
   <source>Its steps are shown when it ends.</source>
   <translation>Seine Schritte stehen hier, wenn es endet.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/timing_view.py" />
   <source>No timing yet</source>
   <translation>Noch keine Zeiten</translation>
  </message>
  <message>
   <location filename="../../console/call_result/timing_view.py" />
   <source>Run the tool to see where its time goes.</source>
   <translation>Führen Sie das Werkzeug aus, um zu sehen, wohin seine Zeit geht.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/timing_view.py" />
   <source>Totals</source>
   <translation>Summen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/timing_view.py" />
   <source>What is known of the step</source>
   <translation>Was über den Schritt bekannt ist</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Attachment</source>
   <translation>Anhang</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Files and pictures that come with a result are listed here.</source>
   <translation>Hier stehen Dateien und Bilder, die mit einem Ergebnis kommen.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Find in the definition</source>
   <translation>In der Definition suchen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Find in the log</source>
   <translation>Im Protokoll suchen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Find in the result</source>
   <translation>Im Ergebnis suchen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Find in the schema</source>
   <translation>Im Schema suchen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Form of the attachment</source>
   <translation>Form des Anhangs</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>No attachments</source>
   <translation>Keine Anhänge</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Save all attachments into a folder</source>
   <translation>Alle Anhänge in einen Ordner speichern</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Save all…</source>
   <translation>Alle speichern…</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Save the attachment as</source>
   <translation>Anhang speichern unter</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Save the definition as</source>
   <translation>Definition speichern unter</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Save the result as</source>
   <translation>Ergebnis speichern unter</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>Save the schema as</source>
   <translation>Schema speichern unter</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>The definition is on the clipboard: {letters} letters.</source>
   <translation>Die Definition liegt in der Zwischenablage: {letters} Zeichen.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>The result is on the clipboard: {letters} letters.</source>
   <translation>Das Ergebnis liegt in der Zwischenablage: {letters} Zeichen.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/view.py" />
   <source>The schema is on the clipboard: {letters} letters.</source>
   <translation>Das Schema liegt in der Zwischenablage: {letters} Zeichen.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>A thread</source>
   <translation>Ein Thread</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Answered by</source>
   <translation>Beantwortet von</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Closed</source>
   <translation>Geschlossen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Console overhead</source>
   <translation>Aufwand der Konsole</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Error</source>
   <translation>Fehler</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Half-open: this is the trial call</source>
   <translation>Halb offen: Dies ist der Probeaufruf</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>In the tool</source>
   <translation>Im Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Kept for</source>
   <translation>Aufbewahrt für</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Known: nothing had to run</source>
   <translation>Bekannt: nichts musste laufen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Limit</source>
   <translation>Grenzwert</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Next step</source>
   <translation>Nächster Schritt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Not kept</source>
   <translation>Nicht aufbewahrt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Not known yet</source>
   <translation>Noch nicht bekannt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Opens after</source>
   <translation>Öffnet nach</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Outcome</source>
   <translation>Ausgang</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Passed over, as asked</source>
   <translation>Übergangen, wie verlangt</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Retry rule</source>
   <translation>Wiederholung</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Skipped</source>
   <translation>Übersprungen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>The engine's event loop</source>
   <translation>Die Ereignisschleife des Programms</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Timed out</source>
   <translation>Zeit abgelaufen</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Waited</source>
   <translation>Gewartet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Waiting for you</source>
   <translation>Warten auf Sie</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Where</source>
   <translation>Wo</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Worker process</source>
   <translation>Arbeitsprozess</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Worker process {pid}</source>
   <translation>Arbeitsprozess {pid}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Worker process {pid}, ended</source>
   <translation>Arbeitsprozess {pid}, beendet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>Worker process, ended</source>
   <translation>Arbeitsprozess, beendet</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>none</source>
   <comment>usual length</comment>
   <translation>keine</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{count} failures in {span}</source>
   <translation>{count} Fehlschlägen in {span}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{index} of {steps}</source>
   <translation>{index} von {steps}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{percent:.1f}%</source>
   <translation>{percent:.1f} %</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{ratio:.1f} × usual P50</source>
   <translation>{ratio:.1f} × übliches P50</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{retried} of the last {calls} calls needed a retry.</source>
   <translation>{retried} der letzten {calls} Aufrufe brauchten eine Wiederholung.</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{title}, attempt {number}</source>
   <translation>{title}, Versuch {number}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{title}, then attempt {number}</source>
   <translation>{title}, dann Versuch {number}</translation>
  </message>
  <message>
   <location filename="../../console/call_result/waterfall.py" />
   <source>{took}, the full limit</source>
   <translation>{took}, das ganze Zeitlimit</translation>
  </message>
  <message>
   <location filename="../../console/call_storage.py" />
   <source>the attachment {name} is not here: {error}</source>
   <translation>der Anhang {name} ist nicht da: {error}</translation>
  </message>
  <message>
   <location filename="../../console/call_storage.py" />
   <source>the history is closed</source>
   <translation>der Verlauf ist geschlossen</translation>
  </message>
  <message>
   <location filename="../../console/call_storage.py" />
   <source>the history is not open</source>
   <translation>der Verlauf ist nicht geöffnet</translation>
  </message>
  <message>
   <location filename="../../console/call_table.py" />
   <source>agent</source>
   <translation>Agent</translation>
  </message>
  <message>
   <location filename="../../console/call_table.py" />
   <source>batch</source>
   <translation>Stapel</translation>
  </message>
  <message>
   <location filename="../../console/charts/histogram.py" />
   <source>No runs</source>
   <translation>Keine Läufe</translation>
  </message>
  <message>
   <location filename="../../console/charts/histogram.py" />
   <source>{runs:,} runs up to {end}</source>
   <translation>{runs:,} Läufe bis {end}</translation>
  </message>
  <message>
   <location filename="../../console/charts/histogram.py" />
   <source>{runs:,} runs up to {end}, the limit is {limit}</source>
   <translation>{runs:,} Läufe bis {end}, der Grenzwert ist {limit}</translation>
  </message>
  <message>
   <location filename="../../console/charts/lines.py" />
   <source>agents</source>
   <translation>Agenten</translation>
  </message>
  <message>
   <location filename="../../console/charts/lines.py" />
   <source>others</source>
   <translation>andere</translation>
  </message>
  <message>
   <location filename="../../console/charts/tool_plots.py" />
   <source>Latency</source>
   <translation>Latenz</translation>
  </message>
  <message>
   <location filename="../../console/charts/tool_plots.py" />
   <source>P95 limit {limit}</source>
   <translation>P95-Grenzwert {limit}</translation>
  </message>
  <message>
   <location filename="../../console/charts/tool_plots.py" />
   <source>Success rate</source>
   <translation>Erfolgsquote</translation>
  </message>
  <message>
   <location filename="../../console/charts/tool_plots.py" />
   <source>down below {percent:g}%</source>
   <translation>ausgefallen unter {percent:g} %</translation>
  </message>
  <message>
   <location filename="../../console/charts/tool_plots.py" />
   <source>limit {percent:g}%</source>
   <translation>Grenzwert {percent:g} %</translation>
  </message>
  <message>
   <location filename="../../console/charts/tool_plots.py" />
   <source>{limit} is above this</source>
   <translation>{limit} liegt darüber</translation>
  </message>
  <message>
   <location filename="../../console/check/page.py" />
   <source>Check of {name}</source>
   <translation>Prüfung von {name}</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>Check {tool} in {folder}?</source>
   <translation>{tool} in {folder} prüfen?</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>It broke off; the log of the program has the reason.</source>
   <translation>Sie brach ab; der Grund steht im Protokoll des Programms.</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>Saved as {path}. pytest runs it; its tests pass once the faults are mended.</source>
   <translation>Als {path} gespeichert. pytest führt die Datei aus; ihre Tests bestehen, sobald die Fehler behoben sind.</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>The tool is called with generated arguments, and may change or remove whatever it finds in {folder}. Everything in that folder is removed. What the tool changes elsewhere is not undone.</source>
   <translation>Das Werkzeug wird mit erzeugten Argumenten aufgerufen und kann alles ändern oder entfernen, was es in {folder} findet. Alles in diesem Ordner wird entfernt. Was das Werkzeug anderswo ändert, wird nicht rückgängig gemacht.</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>Use this folder</source>
   <translation>Diesen Ordner verwenden</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>{file}: {reason}. Choose another folder.</source>
   <translation>{file}: {reason}. Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>{folder} cannot be used: {reason}. Choose another folder.</source>
   <translation>{folder} kann nicht verwendet werden: {reason}. Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>{name} belongs to the project. Choose an empty folder outside of it.</source>
   <translation>{name} gehört zum Projekt. Wählen Sie einen leeren Ordner außerhalb.</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>{name} could not be written: {reason}. Choose another place.</source>
   <translation>{name} konnte nicht geschrieben werden: {reason}. Wählen Sie einen anderen Ort.</translation>
  </message>
  <message>
   <location filename="../../console/check/presenter.py" />
   <source>{name} is not empty, and everything in it would be removed. Choose an empty folder.</source>
   <translation>{name} ist nicht leer, und alles darin würde entfernt. Wählen Sie einen leeren Ordner.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Allow first that generated arguments leave this computer.</source>
   <translation>Erlauben Sie zuerst, dass erzeugte Argumente diesen Computer verlassen.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>As many proposals of nonsense, which have to be refused. A few calls more make the arguments of a finding smaller. A call that takes {call_s:g} s counts as one that does not end.</source>
   <translation>Ebenso viele unsinnige Vorschläge, die verweigert werden müssen. Einige weitere Aufrufe verkleinern die Argumente eines Befunds. Ein Aufruf, der {call_s:g} s dauert, gilt als einer, der nicht endet.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Begins</source>
   <translation>Beginnt</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Check of arguments fails</source>
   <translation>Prüfung der Argumente schlägt fehl</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Choose a folder first.</source>
   <translation>Wählen Sie zuerst einen Ordner.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Crash</source>
   <translation>Absturz</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Does not end</source>
   <translation>Endet nicht</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Each call ended as the tool promises. Another seed tries other arguments.</source>
   <translation>Jeder Aufruf endete, wie es das Werkzeug zusagt. Ein anderer Startwert versucht andere Argumente.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Example fails</source>
   <translation>Beispiel schlägt fehl</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Hint</source>
   <translation>Hinweis</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>It cannot be checked, because {reason}.</source>
   <translation>Es kann nicht geprüft werden: {reason}.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>It may change things, so it runs only in an empty folder that you choose, never in the project. Everything that the calls leave there is removed.</source>
   <translation>Es kann etwas ändern, deshalb läuft es nur in einem leeren Ordner, den Sie wählen, nie im Projekt. Alles, was die Aufrufe dort hinterlassen, wird entfernt.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>It says that it only reads: it runs in a folder made for the check, where a write is seen.</source>
   <translation>Es gibt an, nur zu lesen: Es läuft in einem eigens angelegten Ordner, in dem jedes Schreiben auffällt.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>No call was made.</source>
   <translation>Es gab keinen Aufruf.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Nobody is asked anything, and the calls do not stand in the history.</source>
   <translation>Niemand wird gefragt, und die Aufrufe stehen nicht im Verlauf.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Nonsense accepted</source>
   <translation>Unsinn angenommen</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Not checked yet</source>
   <translation>Noch nicht geprüft</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Not finished</source>
   <translation>Nicht beendet</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Not run, because {reason}</source>
   <translation>Nicht ausgeführt: {reason}</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Nothing found</source>
   <translation>Nichts gefunden</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Nothing found so far</source>
   <translation>Bisher nichts gefunden</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Nothing was found until then.</source>
   <translation>Bis dahin wurde nichts gefunden.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Read-only tool writes</source>
   <translation>Lesendes Werkzeug schreibt</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Secret told</source>
   <translation>Geheimnis verraten</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Stopping, {counts}</source>
   <translation>Wird angehalten, {counts}</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>The check begins.</source>
   <translation>Die Prüfung beginnt.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>The check failed</source>
   <translation>Die Prüfung ist fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Undeclared error</source>
   <translation>Nicht angekündigter Fehler</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Up to {calls}, in at most {within_s:g} s: the examples, arguments at the edges of the schema, and others drawn by the seed. The same seed gives the same arguments.</source>
   <translation>Bis zu {calls} in höchstens {within_s:g} s: die Beispiele, Argumente an den Rändern des Schemas und andere, die der Startwert bestimmt. Derselbe Startwert ergibt dieselben Argumente.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Warning</source>
   <translation>Warnung</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>What is found stands here at once.</source>
   <translation>Was gefunden wird, steht sofort hier.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>What the calls of a check show to be wrong.</source>
   <translation>Hier steht, welche Fehler die Aufrufe einer Prüfung zeigen.</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>Wrong result</source>
   <translation>Falsches Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>{calls}, {refused:,} refused because of their arguments</source>
   <translation>{calls}, davon {refused:,} wegen ihrer Argumente verweigert</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>{calls}; not finished, because {reason}</source>
   <translation>{calls}; nicht beendet: {reason}</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>{done:,} of {total:,} calls, {refused:,} refused, {found} found</source>
   <translation>{done:,} von {total:,} Aufrufen, {refused:,} verweigert, {found} gefunden</translation>
  </message>
  <message>
   <location filename="../../console/check/rows.py" />
   <source>{text}… ({length:,} characters)</source>
   <translation>{text}… ({length:,} Zeichen)</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>An empty folder, in which the tool may change and remove what it likes</source>
   <translation>Ein leerer Ordner, in dem das Werkzeug alles ändern und entfernen darf</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Call the tool with generated arguments, as is said below</source>
   <translation>Das Werkzeug mit erzeugten Argumenten aufrufen, wie unten beschrieben</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Choose an empty folder for the check</source>
   <translation>Leeren Ordner für die Prüfung wählen</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Choose another folder…</source>
   <translation>Anderen Ordner wählen…</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Choose folder…</source>
   <translation>Ordner wählen…</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Copy the arguments of: {fault}</source>
   <translation>Argumente kopieren: {fault}</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Copy these arguments as JSON</source>
   <translation>Diese Argumente als JSON kopieren</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Fill the form</source>
   <translation>Formular ausfüllen</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Fill the form with the arguments of: {fault}</source>
   <translation>Formular mit den Argumenten ausfüllen: {fault}</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Findings</source>
   <translation>Befunde</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Findings of the check</source>
   <translation>Befunde der Prüfung</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Let generated arguments leave this computer</source>
   <translation>Erzeugte Argumente dürfen diesen Computer verlassen</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Most calls</source>
   <translation>Höchstzahl der Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Most seconds</source>
   <translation>Höchstdauer in Sekunden</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Put these arguments into the form, to run the tool with them</source>
   <translation>Diese Argumente ins Formular übernehmen, um das Werkzeug damit auszuführen</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Save a file for pytest, with a test of each call that shows a fault</source>
   <translation>Eine Datei für pytest speichern, mit einem Test für jeden Aufruf, der einen Fehler zeigt</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Save for pytest…</source>
   <translation>Für pytest speichern…</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Save the findings as a file for pytest</source>
   <translation>Befunde als Datei für pytest speichern</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Seed</source>
   <translation>Startwert</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Smallest arguments: {shown}</source>
   <translation>Kleinste Argumente: {shown}</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>Start check</source>
   <translation>Prüfung starten</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>The arguments are on the clipboard.</source>
   <translation>Die Argumente sind in der Zwischenablage.</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>What arguments are drawn by; the same seed gives the same arguments</source>
   <translation>Bestimmt die Argumente; derselbe Startwert ergibt dieselben Argumente</translation>
  </message>
  <message>
   <location filename="../../console/check/view.py" />
   <source>What the check will do</source>
   <translation>Was die Prüfung tun wird</translation>
  </message>
  <message>
   <location filename="../../console/comparison/dialog.py" />
   <source>Compare two calls</source>
   <translation>Zwei Aufrufe vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/comparison/diff_view.py" />
   <source>empty text</source>
   <translation>leerer Text</translation>
  </message>
  <message>
   <location filename="../../console/comparison/diff_view.py" />
   <source>was {old}, is now {new}</source>
   <translation>war {old}, ist jetzt {new}</translation>
  </message>
  <message>
   <location filename="../../console/comparison/lines.py" />
   <source>Too many values inside each other to be written as text.</source>
   <translation>Zu tief verschachtelt, um als Text geschrieben zu werden.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/lines.py" />
   <source>not given</source>
   <translation>nicht angegeben</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>added</source>
   <translation>hinzugefügt</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>before</source>
   <translation>vorher</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>moved from [{place}]</source>
   <translation>verschoben von [{place}]</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>now</source>
   <translation>jetzt</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>passed over</source>
   <translation>übergangen</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>removed</source>
   <translation>entfernt</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>{count:,} unchanged</source>
   <translation>{count:,} unverändert</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>{first:,} to {last:,}</source>
   <translation>{first:,} bis {last:,}</translation>
  </message>
  <message>
   <location filename="../../console/comparison/model.py" />
   <source>{first} to {last}</source>
   <translation>{first} bis {last}</translation>
  </message>
  <message>
   <location filename="../../console/comparison/presenter.py" />
   <source>A JSON Patch needs a value on both sides.</source>
   <translation>Ein JSON-Patch braucht auf beiden Seiten einen Wert.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/presenter.py" />
   <source>Nothing differs, so there is nothing to copy.</source>
   <translation>Es gibt keinen Unterschied, also nichts zu kopieren.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/comparison/presenter.py" />
   <source>The JSON Patch is on the clipboard: {count:,} operations.</source>
   <translation>
    <numerusform>Der JSON-Patch ist in der Zwischenablage: 1 Operation.</numerusform>
    <numerusform>Der JSON-Patch ist in der Zwischenablage: {count:,} Operationen.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/comparison/presenter.py" />
   <source>The unified diff is on the clipboard: {lines:,} lines.</source>
   <translation>Der Unified Diff ist in der Zwischenablage: {lines:,} Zeilen.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/rows.py" />
   <source>No differences</source>
   <translation>Keine Unterschiede</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/comparison/rows.py" />
   <source>{count:,} differences</source>
   <translation>
    <numerusform>{count:,} Unterschied</numerusform>
    <numerusform>{count:,} Unterschiede</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/comparison/rows.py" />
   <source>{count:,} lines before</source>
   <translation>
    <numerusform>1 Zeile vorher</numerusform>
    <numerusform>{count:,} Zeilen vorher</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/comparison/rows.py" />
   <source>{count:,} lines now</source>
   <translation>
    <numerusform>1 Zeile jetzt</numerusform>
    <numerusform>{count:,} Zeilen jetzt</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/comparison/rows.py" />
   <source>{count:,} moved</source>
   <translation>{count:,} verschoben</translation>
  </message>
  <message>
   <location filename="../../console/comparison/text_view.py" />
   <source>Copy lines</source>
   <translation>Zeilen kopieren</translation>
  </message>
  <message>
   <location filename="../../console/comparison/text_view.py" />
   <source>Select all</source>
   <translation>Alles auswählen</translation>
  </message>
  <message>
   <location filename="../../console/comparison/text_view.py" />
   <source>line {line:,} before</source>
   <translation>Zeile {line:,} vorher</translation>
  </message>
  <message>
   <location filename="../../console/comparison/text_view.py" />
   <source>line {line:,} now</source>
   <translation>Zeile {line:,} jetzt</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/comparison/text_view.py" />
   <source>{count:,} unchanged lines</source>
   <translation>
    <numerusform>{count:,} unveränderte Zeile</numerusform>
    <numerusform>{count:,} unveränderte Zeilen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/comparison/tree_view.py" />
   <source>Copy path</source>
   <translation>Pfad kopieren</translation>
  </message>
  <message>
   <location filename="../../console/comparison/tree_view.py" />
   <source>Copy value</source>
   <translation>Wert kopieren</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Before</source>
   <translation>Vorher</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Comparing</source>
   <translation>Vergleich läuft</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Comparison</source>
   <translation>Vergleich</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Copy as</source>
   <translation>Kopieren als</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Differences as a tree</source>
   <translation>Unterschiede als Baum</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Differences as text</source>
   <translation>Unterschiede als Text</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Identical arguments</source>
   <translation>Gleiche Argumente</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Identical result</source>
   <translation>Gleiches Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>JSON Patch</source>
   <translation>JSON-Patch</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Neither call has a result</source>
   <translation>Keiner der Aufrufe hat ein Ergebnis</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Neither call has arguments</source>
   <translation>Keiner der Aufrufe hat Argumente</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Next difference</source>
   <translation>Nächster Unterschied</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Nothing differs between the two calls.</source>
   <translation>Die beiden Aufrufe unterscheiden sich nicht.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Nothing differs, apart from what is passed over.</source>
   <translation>Kein Unterschied, außer in dem, was übergangen wird.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Now</source>
   <translation>Jetzt</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Only differences</source>
   <translation>Nur Unterschiede</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Parts of the call</source>
   <translation>Teile des Aufrufs</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Pass over</source>
   <translation>Übergehen</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Previous difference</source>
   <translation>Voriger Unterschied</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Shown as</source>
   <translation>Darstellung</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Side by side</source>
   <translation>Nebeneinander</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Swap sides</source>
   <translation>Seiten tauschen</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Text has no structure</source>
   <translation>Text hat keine Struktur</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Texts</source>
   <translation>Texte</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>The arguments are written as text.</source>
   <translation>Die Argumente werden als Text geschrieben.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>The result is written as text.</source>
   <translation>Das Ergebnis wird als Text geschrieben.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>The two could not be compared</source>
   <translation>Die beiden konnten nicht verglichen werden</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>There is nothing to compare.</source>
   <translation>Es gibt nichts zu vergleichen.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Tree</source>
   <translation>Baum</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Two tools: {left} and {right}. What differs may only come of that.</source>
   <translation>Zwei Werkzeuge: {left} und {right}. Unterschiede können allein daher kommen.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Unified</source>
   <translation>Vereint</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Unified diff</source>
   <translation>Unified Diff</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>Values with these paths do not count. $ begins at the whole, * stands for any name.</source>
   <translation>Werte mit diesen Pfaden zählen nicht. $ beginnt beim Ganzen, * steht für jeden Namen.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>What differs in the arguments is shown here.</source>
   <translation>Hier stehen die Unterschiede der Argumente.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>What differs in the result is shown here.</source>
   <translation>Hier stehen die Unterschiede des Ergebnisses.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>What differs is shown here.</source>
   <translation>Hier stehen die Unterschiede.</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>{counts} · some only as a whole</source>
   <translation>{counts} · manches nur als Ganzes</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>{part} (Alt+{number})</source>
   <translation>{part} (Alt+{number})</translation>
  </message>
  <message>
   <location filename="../../console/comparison/view.py" />
   <source>{position:,} of {count:,}</source>
   <translation>{position:,} von {count:,}</translation>
  </message>
  <message>
   <location filename="../../console/definition/page.py" />
   <source>Schema of {name}</source>
   <translation>Schema von {name}</translation>
  </message>
  <message>
   <location filename="../../console/definition/page.py" />
   <source>Wire format of {name}</source>
   <translation>Übertragungsformat von {name}</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_presenter.py" />
   <source>No output is described</source>
   <translation>Keine Ausgabe beschrieben</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_presenter.py" />
   <source>The envelope tells what its responses hold besides.</source>
   <translation>Die Hülle zeigt, was seine Antworten außerdem enthalten.</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_presenter.py" />
   <source>The schema cannot be shown</source>
   <translation>Das Schema kann nicht gezeigt werden</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_presenter.py" />
   <source>{error}. The form JSON Schema 2020-12 needs no types.</source>
   <translation>{error}. Die Form JSON Schema 2020-12 braucht keine Typen.</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>A plugin's types are asked for in its own process.</source>
   <translation>Die Typen eines Plugins werden in dessen eigenem Prozess erfragt.</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>As the tool declares it</source>
   <translation>Wie das Werkzeug es deklariert</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Envelope</source>
   <translation>Hülle</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Every reference replaced by what it leads to</source>
   <translation>Jeder Verweis durch sein Ziel ersetzt</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Form of the schema</source>
   <translation>Form des Schemas</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Inlined</source>
   <translation>Aufgelöst</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Inlined, and every title the qualified name of a type</source>
   <translation>Aufgelöst, und jeder Titel der volle Name eines Typs</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Inlined, with type names, in the words of OpenAPI 3.0</source>
   <translation>Aufgelöst, mit Typnamen, in den Begriffen von OpenAPI 3.0</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>JSON Schema 2020-12</source>
   <translation>JSON Schema 2020-12</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>OpenAPI 3.0</source>
   <translation>OpenAPI 3.0</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Part of the schema</source>
   <translation>Teil des Schemas</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Reading the schema</source>
   <translation>Schema wird gelesen</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>Response envelope</source>
   <translation>Hülle der Antwort</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>The whole response around the output: status, error, log, attachments</source>
   <translation>Die ganze Antwort um die Ausgabe: Status, Fehler, Protokoll, Anhänge</translation>
  </message>
  <message>
   <location filename="../../console/definition/schema_view.py" />
   <source>With type names</source>
   <translation>Mit Typnamen</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>Changed</source>
   <translation>Geändert</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>Dropped</source>
   <translation>Weggelassen</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>Refused</source>
   <translation>Verweigert</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>Rewritten</source>
   <translation>Umgeschrieben</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>Rewritten, and taken</source>
   <translation>Umgeschrieben und angenommen</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>Sent, but not all of it counts</source>
   <translation>Gesendet, aber nicht alles zählt</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>Taken as it stands</source>
   <translation>Unverändert angenommen</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>{provider} refuses it</source>
   <translation>{provider} verweigert es</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_rows.py" />
   <source>≈ {tokens} tokens, estimated</source>
   <translation>≈ {tokens} Token, geschätzt</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Apply safe rewrite</source>
   <translation>Sicher umschreiben</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Definition</source>
   <translation>Definition</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Fidelity</source>
   <translation>Treue</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Fidelity report</source>
   <translation>Bericht über die Treue</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Have the provider hold its model to the schema</source>
   <translation>Der Anbieter hält sein Modell an das Schema</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Nothing is lost</source>
   <translation>Nichts geht verloren</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Show as declared</source>
   <translation>Wie deklariert zeigen</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>Strict</source>
   <translation>Strikt</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>The provider takes the tool as it is declared.</source>
   <translation>Der Anbieter nimmt das Werkzeug, wie es deklariert ist.</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>What this definition adds to each request; no provider tells how it counts exactly</source>
   <translation>Was diese Definition zu jeder Anfrage hinzufügt; kein Anbieter sagt, wie er genau zählt</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>and {more} more</source>
   <translation>und {more} weitere</translation>
  </message>
  <message>
   <location filename="../../console/definition/wire_view.py" />
   <source>{times} times</source>
   <translation>{times}-mal</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>30 days</source>
   <translation>30 Tage</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>90 days</source>
   <translation>90 Tage</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>A year</source>
   <translation>Ein Jahr</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Add agent</source>
   <translation>Agent hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Add an agent</source>
   <translation>Agent hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>All tools</source>
   <translation>Alle Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Copy the token</source>
   <translation>Token kopieren</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>It can call the tools that it sees and no others. Rules can name it as agent:NAME.</source>
   <translation>Er kann nur die Werkzeuge aufrufen, die er sieht. Regeln können ihn als agent:NAME nennen.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Names such as read_* github.*</source>
   <translation>Namen wie read_* github.*</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>New token for {renewed}</source>
   <translation>Neues Token für {renewed}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Only tools named here</source>
   <translation>Nur hier genannte Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Profile {profile}</source>
   <translation>Profil {profile}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Sees</source>
   <translation>Sieht</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>This token is shown once. Only a hash of it is kept.</source>
   <translation>Dieses Token wird nur einmal gezeigt. Gespeichert wird nur ein Hash davon.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Token</source>
   <translation>Token</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agent_dialog.py" />
   <source>Token is good for</source>
   <translation>Token gilt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>7 days</source>
   <translation>7 Tage</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Agent</source>
   <translation>Agent</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Called {share} tools that it sees in 7 days</source>
   <translation>Hat in 7 Tagen {share} Werkzeugen aufgerufen, die er sieht</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Calls in 7 days that a rule or a person refused, or whose tool is not in its profile</source>
   <translation>Aufrufe in 7 Tagen, die eine Regel oder ein Mensch verweigert hat oder deren Werkzeug nicht im Profil ist</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Calls in 7 days that failed, timed out or had wrong arguments; refused ones do not count</source>
   <translation>Aufrufe in 7 Tagen, die fehlschlugen, das Zeitlimit überschritten oder falsche Argumente hatten; verweigerte zählen nicht</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Calls in the last minute</source>
   <translation>Aufrufe in der letzten Minute</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Calls/min</source>
   <translation>Aufrufe/min</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Last seen</source>
   <translation>Zuletzt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Profile</source>
   <translation>Profil</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>The agent calls it {served_name}. </source>
   <translation>Der Agent nennt es {served_name}. </translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>The agent does not see it now.</source>
   <translation>Der Agent sieht es derzeit nicht.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Tokens of the definitions, each time that it is told of its tools, estimated</source>
   <translation>Geschätzte Tokens der Definitionen, jedes Mal, wenn er seine Werkzeuge erfährt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>Tools used</source>
   <translation>Genutzt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>all tools</source>
   <translation>alle Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>never</source>
   <translation>nie</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>not seen</source>
   <translation>nicht sichtbar</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>{unseen} of them because the agent does not see the tool</source>
   <translation>{unseen} davon, weil der Agent das Werkzeug nicht sieht</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_model.py" />
   <source>{used} of {seen}</source>
   <translation>{used} von {seen}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_presenter.py" />
   <source>Requests of {agent} are held as long as others again.</source>
   <translation>Anfragen von {agent} werden wieder so lange gehalten wie andere.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_presenter.py" />
   <source>{agent} sees all tools.</source>
   <translation>{agent} sieht alle Werkzeuge.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_presenter.py" />
   <source>{agent} sees the tools of the profile {profile}.</source>
   <translation>{agent} sieht die Werkzeuge des Profils {profile}.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/agents_presenter.py" />
   <source>{agent} sees {count:,} tools now.</source>
   <translation>
    <numerusform>{agent} sieht jetzt {count:,} Werkzeug.</numerusform>
    <numerusform>{agent} sieht jetzt {count:,} Werkzeuge.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source> ({unseen} for tools that it does not see)</source>
   <translation> ({unseen} für Werkzeuge, die er nicht sieht)</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source> It was told of its tools {times} since the gateway is on, about {listed_tokens} tokens in all.</source>
   <translation> Seit das Gateway an ist, hat er seine Werkzeuge {times} erfahren, zusammen etwa {listed_tokens} Tokens.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>, {rate} in error</source>
   <translation>, davon {rate} fehlerhaft</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>, {refused} refused</source>
   <translation>, {refused} verweigert</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>A profile of these saves about {saved_tokens} of {tokens} tokens each time.</source>
   <translation>Ein Profil daraus spart jedes Mal etwa {saved_tokens} von {tokens} Tokens.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Add agent…</source>
   <translation>Agent hinzufügen…</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Agents</source>
   <translation>Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>An agent needs a token of its own to call your tools. Connecting its program gives it one.</source>
   <translation>Ein Agent braucht ein eigenes Token, um Ihre Werkzeuge aufzurufen. Er erhält es, wenn Sie sein Programm verbinden.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Block</source>
   <translation>Sperren</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Connect an agent…</source>
   <translation>Agent verbinden…</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Edit…</source>
   <translation>Bearbeiten…</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Filter tools of the agent</source>
   <translation>Werkzeuge des Agenten filtern</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Forget</source>
   <translation>Vergessen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Forget how long its programs wait</source>
   <translation>Vergessen, wie lange seine Programme warten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Hold its requests as long as those of others again</source>
   <translation>Seine Anfragen wieder so lange halten wie andere</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Make a profile of these</source>
   <translation>Profil daraus machen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>New token…</source>
   <translation>Neues Token…</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Nobody is let in</source>
   <translation>Niemand ist zugelassen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Not all is known.</source>
   <translation>Nicht alles ist bekannt.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Profile of the agent</source>
   <translation>Profil des Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Profile {name}</source>
   <translation>Profil {name}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Profiles…</source>
   <translation>Profile…</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>See and change what the profile shows</source>
   <translation>Ansehen und ändern, was das Profil zeigt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Show address and settings of the gateway</source>
   <translation>Adresse und Einstellungen des Gateways zeigen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Show its calls on the History page</source>
   <translation>Seine Aufrufe auf der Seite „Verlauf“ zeigen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>Tools of the agent</source>
   <translation>Werkzeuge des Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>While you are asked, its requests are held for {said}: each of these hung up a little later once. Others are held {hold_s:.0f} s. After that the agent is told to ask again.</source>
   <translation>Während Sie gefragt werden, werden seine Anfragen so lange gehalten: {said}; jedes dieser Programme hat schon einmal kurz danach aufgelegt. Andere werden {hold_s:.0f} s gehalten. Danach erfährt der Agent, dass er noch einmal fragen soll.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>a program without a name</source>
   <translation>ein Programm ohne Namen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>gateway off</source>
   <translation>Gateway aus</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>gateway on</source>
   <translation>Gateway ein</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>once</source>
   <translation>einmal</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>paused</source>
   <translation>pausiert</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>twice</source>
   <translation>zweimal</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/agents_view.py" />
   <source>{count:,} agents, {served}</source>
   <translation>
    <numerusform>{count:,} Agent, {served}</numerusform>
    <numerusform>{count:,} Agenten, {served}</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/agents_view.py" />
   <source>{count:,} calls in {look_back_days} days{errors}{refused}{unseen}. Its {seen} definitions are about {tokens} tokens of name, description and arguments.{told}</source>
   <translation>
    <numerusform>{count:,} Aufruf in {look_back_days} Tagen{errors}{refused}{unseen}. Seine {seen} Definitionen haben etwa {tokens} Tokens für Name, Beschreibung und Argumente.{told}</numerusform>
    <numerusform>{count:,} Aufrufe in {look_back_days} Tagen{errors}{refused}{unseen}. Seine {seen} Definitionen haben etwa {tokens} Tokens für Name, Beschreibung und Argumente.{told}</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>{lists:,} times</source>
   <translation>{lists:,}-mal</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>{program} {seconds:.0f} s</source>
   <translation>{program} {seconds:.0f} s</translation>
  </message>
  <message>
   <location filename="../../console/gateway/agents_view.py" />
   <source>{used} of {seen} tools used in {look_back_days} days</source>
   <translation>{used} von {seen} Werkzeugen in {look_back_days} Tagen genutzt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Connected</source>
   <translation>Verbunden</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Found</source>
   <translation>Gefunden</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Not found</source>
   <translation>Nicht gefunden</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Program</source>
   <translation>Programm</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Taken back, but the token that {ended} had before has ended; give it a new one.</source>
   <translation>Zurückgenommen, aber das frühere Token von {ended} ist abgelaufen; geben Sie ihm ein neues.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Taken back.</source>
   <translation>Zurückgenommen.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Taken back; the token that {restored} had before is good again.</source>
   <translation>Zurückgenommen; das frühere Token von {restored} gilt wieder.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>Unreadable</source>
   <translation>Unlesbar</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>{program}, this project</source>
   <translation>{program}, dieses Projekt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/client_model.py" />
   <source>{removed} is let in no longer.</source>
   <translation>{removed} ist nicht mehr zugelassen.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/closing_dialog.py" />
   <source>A program in the background can serve on: what your rules allow runs, and questions wait until you open the window again. It ends when no agent was there for 10 minutes.</source>
   <translation>Ein Programm im Hintergrund kann sie weiter bedienen: Was Ihre Regeln erlauben, wird ausgeführt, und Rückfragen warten, bis Sie das Fenster wieder öffnen. Es endet, wenn 10 Minuten lang kein Agent da war.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/closing_dialog.py" />
   <source>Keep serving</source>
   <translation>Weiter bedienen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/closing_dialog.py" />
   <source>Keep serving your agents?</source>
   <translation>Agenten weiter bedienen?</translation>
  </message>
  <message>
   <location filename="../../console/gateway/closing_dialog.py" />
   <source>Remember my answer</source>
   <translation>Antwort merken</translation>
  </message>
  <message>
   <location filename="../../console/gateway/closing_dialog.py" />
   <source>Stop serving</source>
   <translation>Nicht mehr bedienen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/closing_dialog.py" />
   <source>{agents} and {last} are connected.</source>
   <translation>{agents} und {last} sind verbunden.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/closing_dialog.py" />
   <source>{agent} is connected.</source>
   <translation>{agent} ist verbunden.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Bridge, a program that it starts (stdio)</source>
   <translation>Brücke, ein Programm, das es startet (stdio)</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Change of the file</source>
   <translation>Änderung der Datei</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Connect an agent</source>
   <translation>Agent verbinden</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Copy the entry</source>
   <translation>Eintrag kopieren</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>HTTP, while the gateway is on</source>
   <translation>HTTP, solange das Gateway an ist</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>How it reaches the gateway</source>
   <translation>Wie er das Gateway erreicht</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>It starts tool-console bridge, which has agents served in the background when no gateway is on.</source>
   <translation>Es startet „tool-console bridge“; ist kein Gateway an, werden Agenten damit im Hintergrund bedient.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Its first request came at {at}. Its calls pass your rules, and ask you here.</source>
   <translation>Seine erste Anfrage kam um {at}. Für seine Aufrufe gelten Ihre Regeln, und Sie werden hier gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Its program is told of the gateway in its own settings. Nothing is written before you have seen it.</source>
   <translation>Sein Programm erfährt vom Gateway in den eigenen Einstellungen. Nichts wird geschrieben, bevor Sie es gesehen haben.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Name of the agent</source>
   <translation>Name des Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Programs</source>
   <translation>Programme</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Reached by</source>
   <translation>Erreicht über</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Take the entry out</source>
   <translation>Eintrag entfernen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>The agent’s token will stand in this file, which only you can read then.</source>
   <translation>Das Token steht dann in dieser Datei, die nur noch Sie lesen können.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>This file may come to other people, so it gets a variable; the token is shown once.</source>
   <translation>Diese Datei kann zu anderen gelangen, darum erhält sie eine Variable; das Token wird einmal gezeigt.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>This program only starts programs, so it gets the bridge.</source>
   <translation>Dieses Programm kann nur Programme starten, darum erhält es die Brücke.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Waiting for the first call of {agent}</source>
   <translation>Warten auf den ersten Aufruf von {agent}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Write</source>
   <translation>Schreiben</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>Written into {path}</source>
   <translation>In {path} geschrieben</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>{agent} is connected</source>
   <translation>{agent} ist verbunden</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>{name} gets another token; the one it has now is good until the file is written.</source>
   <translation>{name} erhält ein neues Token; das jetzige gilt, bis die Datei geschrieben ist.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_dialog.py" />
   <source>{variable} is this token. It is shown once; a hash of it is kept.</source>
   <translation>{variable} ist dieses Token. Es wird einmal gezeigt; gespeichert wird ein Hash davon.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_presenter.py" />
   <source>Nothing came within a minute. End the program wholly and start it again; look whether it asks you to allow the server, and whether it reads this file. The gateway listens at {address}.</source>
   <translation>Binnen einer Minute kam nichts. Beenden Sie das Programm ganz und starten Sie es neu; sehen Sie nach, ob es eine Erlaubnis für den Server verlangt und ob es diese Datei liest. Das Gateway ist erreichbar unter {address}.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_presenter.py" />
   <source>The entry for {program} is on the clipboard; put the agent's token into it.</source>
   <translation>Der Eintrag für {program} liegt in der Zwischenablage; setzen Sie das Token des Agenten ein.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_presenter.py" />
   <source>The gateway cannot be switched on: {problem}. Nothing was written.</source>
   <translation>Das Gateway lässt sich nicht einschalten: {problem}. Nichts wurde geschrieben.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_presenter.py" />
   <source>The gateway listens at {address} now; look at the change again.</source>
   <translation>Das Gateway ist jetzt unter {address} erreichbar; sehen Sie sich die Änderung noch einmal an.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/connect_presenter.py" />
   <source>no address, as it is off</source>
   <translation>keiner Adresse, da es aus ist</translation>
  </message>
  <message>
   <location filename="../../console/gateway/engine_agents.py" />
   <source>no agent is called {agent!r} any more; nothing was changed</source>
   <translation>kein Agent heißt mehr {agent!r}; nichts wurde geändert</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/engine_gateway.py" />
   <source>, {count} calls that still run there</source>
   <translation>
    <numerusform>, {count} Aufruf läuft dort noch</numerusform>
    <numerusform>, {count} Aufrufe laufen dort noch</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/gateway/engine_gateway.py" />
   <source>another program took over, and serves the agents now</source>
   <translation>ein anderes Programm hat übernommen und bedient jetzt die Agenten</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/engine_gateway.py" />
   <source>{name} handed over {count} questions</source>
   <translation>
    <numerusform>{name} hat {count} Rückfrage übergeben</numerusform>
    <numerusform>{name} hat {count} Rückfragen übergeben</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/gateway/page.py" />
   <source>Its token lets nobody in any more, and what it waits for is withdrawn. This cannot be undone.</source>
   <translation>Sein Token lässt niemanden mehr ein, und worauf er wartet, wird zurückgezogen. Das lässt sich nicht rückgängig machen.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/presenter.py" />
   <source>Calls of agents are held until you resume.</source>
   <translation>Aufrufe der Agenten sind angehalten, bis Sie sie fortsetzen.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/presenter.py" />
   <source>Calls of agents are held until you resume. {count} calls run on.</source>
   <translation>
    <numerusform>Aufrufe der Agenten sind angehalten, bis Sie sie fortsetzen. {count} Aufruf läuft weiter.</numerusform>
    <numerusform>Aufrufe der Agenten sind angehalten, bis Sie sie fortsetzen. {count} Aufrufe laufen weiter.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/gateway/presenter.py" />
   <source>Calls of agents go on.</source>
   <translation>Aufrufe der Agenten laufen weiter.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/presenter.py" />
   <source>The gateway is off: {problem}.</source>
   <translation>Das Gateway ist aus: {problem}.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/presenter.py" />
   <source>{came}; agents are served here now.</source>
   <translation>{came}; Agenten werden jetzt hier bedient.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/presenter.py" />
   <source>{name} is removed; its token is good for nothing any more.</source>
   <translation>{name} ist entfernt; sein Token gilt nicht mehr.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>As it says itself</source>
   <translation>Wie es selbst angibt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Description for agents</source>
   <translation>Beschreibung für Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Filter tools of the profile</source>
   <translation>Werkzeuge des Profils filtern</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>For this project</source>
   <translation>Für dieses Projekt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Name for agents</source>
   <translation>Name für Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Names such as *secret*</source>
   <translation>Namen wie *secret*</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>New profile</source>
   <translation>Neues Profil</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>No</source>
   <translation>Nein</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>None</source>
   <comment>tools</comment>
   <translation>Keine</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Nothing; or names such as read_* github.*</source>
   <translation>Nichts; oder Namen wie read_* github.*</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Prefixes</source>
   <translation>Präfixe</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Profiles of agents</source>
   <translation>Profile der Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Profiles say what agents see, and as what.</source>
   <translation>Profile bestimmen, was Agenten sehen, und unter welchem Namen.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Shows</source>
   <translation>Zeigt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>The built-in tools that the tools tree shows first for the project folder</source>
   <translation>Die eingebauten Werkzeuge, die der Werkzeugbaum für den Projektordner zuerst zeigt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Tools of the profile</source>
   <translation>Werkzeuge des Profils</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>What agents are told</source>
   <translation>Was Agenten erfahren</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Without</source>
   <translation>Ohne</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>Yes</source>
   <translation>Ja</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_dialog.py" />
   <source>reading</source>
   <translation>lesen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>Again changes nothing more</source>
   <translation>Erneut ändert nichts mehr</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>Agents call it</source>
   <translation>Name für Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>From</source>
   <translation>Von</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>May destroy</source>
   <translation>Kann zerstören</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>Only reads</source>
   <translation>Liest nur</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>Ours: {changed}</source>
   <translation>Von uns: {changed}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>Reaches outside</source>
   <translation>Wirkt nach außen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_model.py" />
   <source>{seen} of {tools} tools, about {tokens} tokens</source>
   <translation>{seen} von {tools} Werkzeugen, etwa {tokens} Tokens</translation>
  </message>
  <message>
   <location filename="../../console/gateway/profile_presenter.py" />
   <source>The profile {name} is kept; agents that have it are told.</source>
   <translation>Das Profil {name} ist gespeichert; seine Agenten erfahren es.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Ask</source>
   <translation>Fragen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Blocked</source>
   <comment>agent</comment>
   <translation>Gesperrt</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Last call</source>
   <translation>Letzter Aufruf</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Let in</source>
   <translation>Zugelassen</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Rule</source>
   <translation>Regel</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Sees all tools. {token_words}.</source>
   <translation>Sieht alle Werkzeuge. {token_words}.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Sees the tools of the profile {profile}. {token_words}.</source>
   <translation>Sieht die Werkzeuge des Profils {profile}. {token_words}.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Then</source>
   <translation>Dann</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Token …{token_hint} of {created_at}</source>
   <translation>Token …{token_hint} vom {created_at}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>Token …{token_hint} of {created_at}, good until {expires_at}</source>
   <translation>Token …{token_hint} vom {created_at}, gültig bis {expires_at}</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rows.py" />
   <source>any agent</source>
   <translation>jeder Agent</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/rows.py" />
   <source>{count} waiting</source>
   <translation>
    <numerusform>Wartet</numerusform>
    <numerusform>{count} warten</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/gateway/rules_view.py" />
   <source> a min</source>
   <translation> pro min</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rules_view.py" />
   <source> min</source>
   <translation> min</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rules_view.py" />
   <source>All rules…</source>
   <translation>Alle Regeln…</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rules_view.py" />
   <source>Limit for each agent</source>
   <translation>Grenzwert je Agent</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rules_view.py" />
   <source>No rule of yours: each call goes by its risk.</source>
   <translation>Keine eigene Regel: Bei jedem Aufruf zählt sein Risiko.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rules_view.py" />
   <source>Rules</source>
   <translation>Regeln</translation>
  </message>
  <message>
   <location filename="../../console/gateway/rules_view.py" />
   <source>Rules for calls of agents</source>
   <translation>Regeln für Aufrufe von Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Address of the gateway</source>
   <translation>Adresse des Gateways</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Add…</source>
   <translation>Neu…</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Agents that speak MCP call your tools here. Each call passes your rules, and you are asked as for your own.</source>
   <translation>Agenten, die MCP sprechen, rufen hier Ihre Werkzeuge auf. Für jeden Aufruf gelten Ihre Regeln, und Sie werden gefragt wie bei eigenen.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>An agent needs a token of its own to call your tools.</source>
   <translation>Ein Agent braucht ein eigenes Token, um Ihre Werkzeuge aufzurufen.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Any</source>
   <translation>Beliebig</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Calls of agents wait.</source>
   <translation>Aufrufe der Agenten warten.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/gateway/view.py" />
   <source>Calls of agents wait. {count} still run.</source>
   <translation>
    <numerusform>Aufrufe der Agenten warten. {count} läuft noch.</numerusform>
    <numerusform>Aufrufe der Agenten warten. {count} laufen noch.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Config for</source>
   <translation>Konfiguration für</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Copy the address</source>
   <translation>Adresse kopieren</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Ending</source>
   <translation>Wird beendet</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Hold the calls of all agents at once</source>
   <translation>Aufrufe aller Agenten sofort anhalten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Off</source>
   <translation>Aus</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>On</source>
   <translation>Ein</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Port</source>
   <translation>Port</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Program of the agent</source>
   <translation>Programm des Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Servers and gateway</source>
   <translation>Server und Gateway</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Settings for the program of the agent</source>
   <translation>Einstellungen für das Programm des Agenten</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>Show what agents did</source>
   <translation>Zeigen, was Agenten getan haben</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>The address is on the clipboard.</source>
   <translation>Die Adresse liegt in der Zwischenablage.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>The settings for {client} are on the clipboard; put the agent's token into them.</source>
   <translation>Die Einstellungen für {client} liegen in der Zwischenablage; setzen Sie das Token des Agenten ein.</translation>
  </message>
  <message>
   <location filename="../../console/gateway/view.py" />
   <source>This computer only. Other devices cannot reach it.</source>
   <translation>Nur dieser Computer. Andere Geräte erreichen es nicht.</translation>
  </message>
  <message>
   <location filename="../../console/health/controller.py" />
   <source>None of them is down.</source>
   <translation>Keines davon ist ausgefallen.</translation>
  </message>
  <message>
   <location filename="../../console/health/controller.py" />
   <source>The health of {count} tools changed</source>
   <translation>Der Zustand von {count} Werkzeugen hat sich geändert</translation>
  </message>
  <message>
   <location filename="../../console/health/controller.py" />
   <source>{count} of them are down.</source>
   <translation>{count} davon sind ausgefallen.</translation>
  </message>
  <message>
   <location filename="../../console/health/controller.py" />
   <source>{tool} is {status}</source>
   <translation>{tool} ist: {status}</translation>
  </message>
  <message>
   <location filename="../../console/health/controller.py" />
   <source>{tool} is {status} again</source>
   <translation>{tool} ist wieder: {status}</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>All</source>
   <comment>tools</comment>
   <translation>Alle</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>All {count:,}</source>
   <translation>Alle {count:,}</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Check now</source>
   <translation>Jetzt prüfen</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Checking</source>
   <translation>Prüfung läuft</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Health</source>
   <translation>Zustand</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>PNG picture (*.png)</source>
   <translation>PNG-Bild (*.png)</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Picture of the plots…</source>
   <translation>Bild der Diagramme…</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Prometheus text (*.prom)</source>
   <translation>Prometheus-Text (*.prom)</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Prometheus text…</source>
   <translation>Prometheus-Text…</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Range</source>
   <translation>Zeitraum</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Table…</source>
   <translation>Tabelle…</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>Thresholds</source>
   <translation>Grenzwerte</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>closed</source>
   <comment>state</comment>
   <translation>geschlossen</translation>
  </message>
  <message>
   <location filename="../../console/health/header_view.py" />
   <source>open</source>
   <comment>state</comment>
   <translation>offen</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Applies to</source>
   <translation>Gilt für</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Close the thresholds</source>
   <translation>Grenzwerte schließen</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Degraded when</source>
   <translation>Beeinträchtigt, wenn</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Degraded when success is below</source>
   <translation>Beeinträchtigt bei Erfolg unter</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Down when</source>
   <translation>Ausgefallen, wenn</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Down when success is below</source>
   <translation>Ausgefallen bei Erfolg unter</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Failed checks in a row</source>
   <translation>Gescheiterte Prüfungen in Folge</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Look at the last</source>
   <translation>Blick auf die letzten</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Need at least</source>
   <translation>Mindestens nötig</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>P95 is above</source>
   <translation>P95 über</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Success is below</source>
   <translation>Erfolg unter</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Tell me when it changes</source>
   <translation>Änderungen melden</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>Use defaults</source>
   <translation>Vorgaben nehmen</translation>
  </message>
  <message>
   <location filename="../../console/health/limits_view.py" />
   <source>With these limits</source>
   <translation>Mit diesen Grenzwerten</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/limits_view.py" />
   <source>runs</source>
   <translation>
    <numerusform>Lauf</numerusform>
    <numerusform>Läufe</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>Calls per minute</source>
   <translation>Aufrufe pro Minute</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>Calls per {span}</source>
   <translation>Aufrufe je {span}</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>Change</source>
   <translation>Änderung</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>No calls in the last hour</source>
   <translation>Keine Aufrufe in der letzten Stunde</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>No calls in the last {span}</source>
   <translation>Keine Aufrufe seit {span}</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>No tool chosen</source>
   <translation>Kein Werkzeug gewählt</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>Nothing ran in the last hour</source>
   <translation>Kein Lauf in der letzten Stunde</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>Nothing ran in the last {span}</source>
   <translation>Kein Lauf seit {span}</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>Source</source>
   <translation>Quelle</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>Success</source>
   <translation>Erfolg</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>at {time}</source>
   <translation>um {time}</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>no calls</source>
   <translation>keine Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>{status} since {since}</source>
   <translation>{status} seit {since}</translation>
  </message>
  <message>
   <location filename="../../console/health/model.py" />
   <source>{tool}: {status}, success {success}, P95 {p95}</source>
   <translation>{tool}: {status}, Erfolg {success}, P95 {p95}</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Copy all values</source>
   <translation>Alle Werte kopieren</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Copy the values at {time}</source>
   <translation>Werte um {time} kopieren</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Keep the moment marked</source>
   <translation>Zeitpunkt markiert lassen</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Keep {time} marked</source>
   <translation>{time} markiert lassen</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Let go of the moment</source>
   <translation>Zeitpunkt loslassen</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Let go of {time}</source>
   <translation>{time} loslassen</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Loading</source>
   <translation>Lädt</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Plot</source>
   <translation>Diagramm</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Plots</source>
   <translation>Diagramme</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Save picture…</source>
   <translation>Bild speichern…</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Show the calls at {time}</source>
   <translation>Aufrufe um {time} zeigen</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>Show the whole range</source>
   <translation>Ganzen Zeitraum zeigen</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>no runs</source>
   <translation>keine Läufe</translation>
  </message>
  <message>
   <location filename="../../console/health/plots_view.py" />
   <source>{title} over time</source>
   <translation>{title} im Zeitverlauf</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Checked {time}</source>
   <translation>Geprüft {time}</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Checked {time}, next in {left} s</source>
   <translation>Geprüft {time}, nächste in {left} s</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Has the limits of {scope}</source>
   <translation>Hat die Grenzwerte für: {scope}</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Holds where nothing else is said</source>
   <translation>Gilt, wo nichts anderes gesagt ist</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>How the tools did cannot be read: {error}</source>
   <translation>Wie die Werkzeuge liefen, ist nicht lesbar: {error}</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Next check in {left} s</source>
   <translation>Nächste Prüfung in {left} s</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>No call of {tool} before {time} is in the history</source>
   <translation>Kein Aufruf von {tool} vor {time} ist im Verlauf</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>No failed call of {tool} is in the history any more</source>
   <translation>Kein fehlgeschlagener Aufruf von {tool} ist mehr im Verlauf</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Not saved: {error}</source>
   <translation>Nicht gespeichert: {error}</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Nothing held {tool} back any more</source>
   <translation>Nichts hielt {tool} mehr zurück</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Overrides the limits of {scope}</source>
   <translation>Überschreibt die Grenzwerte für: {scope}</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Saved</source>
   <translation>Gespeichert</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>Taken back</source>
   <translation>Zurückgenommen</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>The history cannot be asked: {error}</source>
   <translation>Der Verlauf ist nicht abfragbar: {error}</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>all tools of {name}</source>
   <translation>alle Werkzeuge von {name}</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>{name} cannot be written ({error}); choose another place</source>
   <translation>{name} kann nicht geschrieben werden ({error}); wählen Sie einen anderen Ort</translation>
  </message>
  <message>
   <location filename="../../console/health/presenter.py" />
   <source>{tool} runs again as usual</source>
   <translation>{tool} läuft wieder wie üblich</translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source> and </source>
   <translation> und </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>All {count:,} tools that ran lately work.</source>
   <translation>
    <numerusform>Das Werkzeug, das zuletzt lief, funktioniert.</numerusform>
    <numerusform>Alle {count:,} Werkzeuge, die zuletzt liefen, funktionieren.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>Degraded.</source>
   <translation>Beeinträchtigt.</translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>Down.</source>
   <translation>Ausgefallen.</translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>No tool ran lately.</source>
   <translation>Zuletzt lief kein Werkzeug.</translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>Nothing to tell.</source>
   <translation>Nichts zu melden.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>Show the {count:,} tools</source>
   <translation>
    <numerusform>Werkzeug zeigen</numerusform>
    <numerusform>{count:,} Werkzeuge zeigen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>Too early to tell.</source>
   <translation>Noch kein Urteil möglich.</translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>Up.</source>
   <translation>OK.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools are degraded</source>
   <translation>
    <numerusform>1 Werkzeug ist beeinträchtigt</numerusform>
    <numerusform>{count:,} Werkzeuge sind beeinträchtigt</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools are down</source>
   <translation>
    <numerusform>1 Werkzeug ist ausgefallen</numerusform>
    <numerusform>{count:,} Werkzeuge sind ausgefallen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools are held back</source>
   <translation>
    <numerusform>1 Werkzeug wird zurückgehalten</numerusform>
    <numerusform>{count:,} Werkzeuge werden zurückgehalten</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools are slower than their limits</source>
   <translation>
    <numerusform>1 Werkzeug ist langsamer als sein Grenzwert</numerusform>
    <numerusform>{count:,} Werkzeuge sind langsamer als ihre Grenzwerte</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools fail too often</source>
   <translation>
    <numerusform>1 Werkzeug schlägt zu oft fehl</numerusform>
    <numerusform>{count:,} Werkzeuge schlagen zu oft fehl</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools failed at times, in too few runs to judge.</source>
   <translation>{count:,} Werkzeuge schlugen teils fehl, in zu wenigen Läufen für ein Urteil.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools have a server that is not connected</source>
   <translation>
    <numerusform>1 Werkzeug hat einen Server, der nicht verbunden ist</numerusform>
    <numerusform>{count:,} Werkzeuge haben einen Server, der nicht verbunden ist</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/rows.py" />
   <source>{count:,} tools work.</source>
   <translation>
    <numerusform>1 Werkzeug funktioniert.</numerusform>
    <numerusform>{count:,} Werkzeuge funktionieren.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/rows.py" />
   <source>{tool} {failed}, too few runs to judge.</source>
   <translation>{tool} {failed}, zu wenige Läufe für ein Urteil.</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>A tool is down below {down:g}% but degraded only below {degraded:g}%. Set the share for down to the same or less.</source>
   <translation>Ein Werkzeug gilt unter {down:g}% als ausgefallen, aber erst unter {degraded:g}% als beeinträchtigt. Setzen Sie den Anteil für „ausgefallen“ auf denselben Wert oder niedriger.</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Blocked after {failures} in a row</source>
   <translation>Gesperrt nach {failures} in Folge</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Blocked until {until} after {failures} in a row</source>
   <translation>Gesperrt bis {until} nach {failures} in Folge</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Check again</source>
   <translation>Erneut prüfen</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>No run in the last hour.</source>
   <translation>Kein Lauf in der letzten Stunde.</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>No run in the last {span}</source>
   <translation>Kein Lauf seit {span}</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>No run in the last {span}.</source>
   <translation>Kein Lauf seit {span}.</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>No status changes.</source>
   <translation>Kein Status ändert sich.</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>No tool declares a probe: all were judged anew by their runs</source>
   <translation>Kein Werkzeug hat eine Sonde: Alle wurden nach ihren Läufen neu beurteilt</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Open the failed call</source>
   <translation>Fehlgeschlagenen Aufruf öffnen</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>P95 above {limit}</source>
   <translation>P95 über {limit}</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Paused after {failures}</source>
   <translation>Pausiert nach {failures}</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Paused until a trial call succeeds</source>
   <translation>Pausiert, bis ein Probeaufruf gelingt</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Paused until {until} after {failures}</source>
   <translation>Pausiert bis {until} nach {failures}</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Raise limit…</source>
   <translation>Grenzwert anheben…</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>Restart server</source>
   <translation>Server neu starten</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>The probe of {tool} failed</source>
   <translation>Die Sonde von {tool} schlug fehl</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>The probe of {tool} passed</source>
   <translation>Die Sonde von {tool} war erfolgreich</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>The probe of {tool} refused</source>
   <translation>Die Sonde von {tool} wurde verweigert</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>The tool is {after} instead of {before}.</source>
   <translation>Das Werkzeug ist: {after} statt {before}.</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>The tool stays {status}.</source>
   <translation>Das Werkzeug bleibt: {status}.</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>failed once</source>
   <translation>1-mal fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>failed {failures:,} of {count:,}</source>
   <translation>{failures:,} von {count:,} fehlgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>since {time}</source>
   <translation>seit {time}</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{count:,} could not be made</source>
   <translation>{count:,} nicht möglich</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{count:,} failed: {names}</source>
   <translation>{count:,} fehlgeschlagen: {names}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/snapshot.py" />
   <source>{count:,} failures</source>
   <translation>
    <numerusform>1 Fehlschlag</numerusform>
    <numerusform>{count:,} Fehlschlägen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{count:,} of {total:,} probes passed</source>
   <translation>{count:,} von {total:,} Sonden erfolgreich</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/snapshot.py" />
   <source>{count:,} runs in the last hour, {above:,} above {limit}.</source>
   <translation>
    <numerusform>1 Lauf in der letzten Stunde, {above:,} über {limit}.</numerusform>
    <numerusform>{count:,} Läufe in der letzten Stunde, {above:,} über {limit}.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/snapshot.py" />
   <source>{count:,} runs in the last {span}, {above:,} above {limit}.</source>
   <translation>
    <numerusform>1 Lauf in {span}, {above:,} über {limit}.</numerusform>
    <numerusform>{count:,} Läufe in {span}, {above:,} über {limit}.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{count} of {total}</source>
   <translation>{count} von {total}</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{failed}, too few runs to judge</source>
   <translation>{failed}, zu wenige Läufe für ein Urteil</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/snapshot.py" />
   <source>{failures:,} of {count:,} runs failed</source>
   <translation>
    <numerusform>{failures:,} von 1 Lauf fehlgeschlagen</numerusform>
    <numerusform>{failures:,} von {count:,} Läufen fehlgeschlagen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{first}; no other status changes.</source>
   <translation>{first}; kein weiterer Status ändert sich.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/health/snapshot.py" />
   <source>{first}; {count:,} other statuses change.</source>
   <translation>
    <numerusform>{first}; 1 weiterer Status ändert sich.</numerusform>
    <numerusform>{first}; {count:,} weitere Status ändern sich.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{name} is not connected: {why}</source>
   <translation>{name} ist nicht verbunden: {why}</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{tool} declares no probe: it was judged anew by its runs</source>
   <translation>{tool} hat keine Sonde: Es wurde nach seinen Läufen neu beurteilt</translation>
  </message>
  <message>
   <location filename="../../console/health/snapshot.py" />
   <source>{tool} is {after} instead of {before}</source>
   <translation>{tool} ist: {after} statt {before}</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source> or </source>
   <translation> oder </translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Changes</source>
   <translation>Änderungen</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Changes of health</source>
   <translation>Zustandsänderungen</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Close the list of changes</source>
   <translation>Liste der Änderungen schließen</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Every other tool is one click away.</source>
   <translation>Alle anderen Werkzeuge sind einen Klick entfernt.</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Export health as</source>
   <translation>Zustand exportieren als</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>No calls</source>
   <translation>Keine Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>No change yet</source>
   <translation>Noch keine Änderung</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>No tool</source>
   <translation>Kein Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>No tool: {statuses}</source>
   <translation>Kein Werkzeug: {statuses}</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Run a tool, or choose a longer range: how it does shows here.</source>
   <translation>Führen Sie ein Werkzeug aus oder wählen Sie einen längeren Zeitraum: Hier zeigt sich, wie es läuft.</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Set thresholds…</source>
   <translation>Grenzwerte festlegen…</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Show all tools</source>
   <translation>Alle Werkzeuge zeigen</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Show its calls in the history</source>
   <translation>Aufrufe im Verlauf zeigen</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Show the tools</source>
   <translation>Werkzeuge zeigen</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Tools by health</source>
   <translation>Werkzeuge nach Zustand</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>When a tool begins to fail, or works again, it is listed here.</source>
   <translation>Beginnt ein Werkzeug fehlzuschlagen oder funktioniert es wieder, steht es hier.</translation>
  </message>
  <message>
   <location filename="../../console/health/view.py" />
   <source>Worst tools</source>
   <translation>Schwächste Werkzeuge</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/history/actions.py" />
   <source>Delete these {count:,} calls from the history, with arguments, results, logs and attachments. This cannot be undone. The audit log keeps its entries.</source>
   <translation>
    <numerusform>Diesen Aufruf aus dem Verlauf löschen, mit Argumenten, Ergebnis, Protokoll und Anhängen. Das lässt sich nicht rückgängig machen. Das Prüfprotokoll behält seine Einträge.</numerusform>
    <numerusform>Diese {count:,} Aufrufe aus dem Verlauf löschen, mit Argumenten, Ergebnissen, Protokollen und Anhängen. Das lässt sich nicht rückgängig machen. Das Prüfprotokoll behält seine Einträge.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/history/actions.py" />
   <source>Deleted {count:,} calls</source>
   <translation>
    <numerusform>{count:,} Aufruf gelöscht</numerusform>
    <numerusform>{count:,} Aufrufe gelöscht</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/history/actions.py" />
   <source>The command is on the clipboard</source>
   <translation>Der Befehl liegt in der Zwischenablage</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/history/actions.py" />
   <source>Wrote {count:,} calls to {path}</source>
   <translation>
    <numerusform>{count:,} Aufruf nach {path} geschrieben</numerusform>
    <numerusform>{count:,} Aufrufe nach {path} geschrieben</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/history/actions.py" />
   <source>{count:,} calls are on the clipboard as JSON</source>
   <translation>
    <numerusform>Der Aufruf liegt als JSON in der Zwischenablage</numerusform>
    <numerusform>{count:,} Aufrufe liegen als JSON in der Zwischenablage</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Arguments of the call</source>
   <translation>Argumente des Aufrufs</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Arguments shown</source>
   <translation>Gezeigte Argumente</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>As proposed</source>
   <translation>Wie vorgeschlagen</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>As they ran</source>
   <translation>Wie ausgeführt</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Choose a call to see what was asked, decided and returned.</source>
   <translation>Wählen Sie einen Aufruf, um zu sehen, was verlangt, entschieden und zurückgegeben wurde.</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Compare with…</source>
   <translation>Vergleichen mit…</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Copy as JSON</source>
   <translation>Als JSON kopieren</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Delete…</source>
   <translation>Löschen…</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Edited: {words}</source>
   <translation>Geändert: {words}</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>No call chosen</source>
   <translation>Kein Aufruf gewählt</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Open the tool's page</source>
   <translation>Seite des Werkzeugs öffnen</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Run the tool with these arguments</source>
   <translation>Das Werkzeug mit diesen Argumenten ausführen</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>Show this call on its tool's page</source>
   <translation>Diesen Aufruf auf der Seite seines Werkzeugs zeigen</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>The arguments are not here</source>
   <translation>Die Argumente sind nicht hier</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>The tool is gone</source>
   <translation>Das Werkzeug gibt es nicht mehr</translation>
  </message>
  <message>
   <location filename="../../console/history/detail_view.py" />
   <source>The tool was called without any.</source>
   <translation>Das Werkzeug wurde ohne Argumente aufgerufen.</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>A day such as 2026-03-31</source>
   <translation>Ein Tag wie 2026-03-31</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>All callers</source>
   <translation>Alle Aufrufer</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>Clear filters</source>
   <translation>Filter löschen</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>Export…</source>
   <translation>Exportieren…</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>From</source>
   <comment>day</comment>
   <translation>Von</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>How far back the list goes</source>
   <translation>Wie weit die Liste zurückreicht</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>Only {word}</source>
   <translation>Nur: {word}</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>Search arguments, results, errors and logs</source>
   <translation>Argumente, Ergebnisse, Fehler, Protokolle suchen</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>Search the history</source>
   <translation>Verlauf durchsuchen</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>Show only calls that ended so: {word}</source>
   <translation>Nur Aufrufe zeigen, die so endeten: {word}</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>To</source>
   <comment>day</comment>
   <translation>Bis</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>{name} day</source>
   <translation>Tag: {name}</translation>
  </message>
  <message>
   <location filename="../../console/history/filter_view.py" />
   <source>{name} filter</source>
   <translation>Filter: {name}</translation>
  </message>
  <message>
   <location filename="../../console/history/model.py" />
   <source>Ran with {arguments_text}
Asked for {asked_text}</source>
   <translation>Lief mit {arguments_text}
Verlangt war {asked_text}</translation>
  </message>
  <message>
   <location filename="../../console/history/page.py" />
   <source>Delete the call?</source>
   <translation>Aufruf löschen?</translation>
  </message>
  <message>
   <location filename="../../console/history/page.py" />
   <source>Delete the calls?</source>
   <translation>Aufrufe löschen?</translation>
  </message>
  <message>
   <location filename="../../console/history/presenter.py" />
   <source>It was deleted, or it was older than what is kept.</source>
   <translation>Er wurde gelöscht oder war älter als das, was aufbewahrt wird.</translation>
  </message>
  <message>
   <location filename="../../console/history/presenter.py" />
   <source>The call cannot be read</source>
   <translation>Der Aufruf kann nicht gelesen werden</translation>
  </message>
  <message>
   <location filename="../../console/history/presenter.py" />
   <source>This call is gone</source>
   <translation>Diesen Aufruf gibt es nicht mehr</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>1 h</source>
   <translation>1 h</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Aborted</source>
   <translation>Aufgegeben</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Allowed with changes</source>
   <translation>Mit Änderungen erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Calls are not recorded.</source>
   <translation>Aufrufe werden nicht aufgezeichnet.</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Dates</source>
   <translation>Zeitraum</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>High risk.</source>
   <translation>Hohes Risiko.</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Low risk.</source>
   <translation>Niedriges Risiko.</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Medium risk.</source>
   <translation>Mittleres Risiko.</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Not answered: the program ended first</source>
   <translation>Nicht beantwortet: Das Programm endete zuvor</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>One JSON object a line (*.jsonl)</source>
   <translation>Ein JSON-Objekt je Zeile (*.jsonl)</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Rejected</source>
   <translation>Zurückgewiesen</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>The arguments of this call were not kept.</source>
   <translation>Die Argumente dieses Aufrufs wurden nicht aufbewahrt.</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>The history cannot be read.</source>
   <translation>Der Verlauf kann nicht gelesen werden.</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>Unknown risk.</source>
   <translation>Unbekanntes Risiko.</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>edited</source>
   <translation>bearbeitet</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>in a process</source>
   <translation>in einem Prozess</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>in a thread</source>
   <translation>in einem Thread</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>more than {total:,} calls</source>
   <translation>mehr als {total:,} Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>time limit</source>
   <translation>Zeitlimit</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>version {version}</source>
   <translation>Version {version}</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>{headline} after {took}</source>
   <translation>{headline} nach {took}</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>{word} by {by}</source>
   <translation>{word} ({by})</translation>
  </message>
  <message>
   <location filename="../../console/history/rows.py" />
   <source>“{reason}”</source>
   <translation>„{reason}“</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>All in History</source>
   <translation>Alle im Verlauf</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Calls of {tool}</source>
   <translation>Aufrufe von {tool}</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Choose two calls, the second one with Ctrl</source>
   <translation>Wählen Sie zwei Aufrufe, den zweiten mit Strg</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Delete {count} calls…</source>
   <translation>{count} Aufrufe löschen…</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Every call of this tool is listed here, whoever makes it.</source>
   <translation>Hier steht jeder Aufruf dieses Werkzeugs, wer ihn auch macht.</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Export calls of {tool} as</source>
   <translation>Aufrufe von {tool} exportieren als</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Export {count} calls…</source>
   <translation>{count} Aufrufe exportieren…</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Fewer words admit more calls.</source>
   <translation>Weniger Wörter lassen mehr Aufrufe zu.</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Run the tool with the arguments of the chosen call</source>
   <translation>Das Werkzeug mit den Argumenten des gewählten Aufrufs ausführen</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Run these {count} again as a batch</source>
   <translation>Diese {count} erneut als Stapel ausführen</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Search the calls of {tool}</source>
   <translation>Aufrufe von {tool} durchsuchen</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Search these calls</source>
   <translation>Diese Aufrufe durchsuchen</translation>
  </message>
  <message>
   <location filename="../../console/history/tool_view.py" />
   <source>Show what came of the chosen call (Enter)</source>
   <translation>Zeigen, was aus dem gewählten Aufruf wurde (Eingabe)</translation>
  </message>
  <message>
   <location filename="../../console/history/view.py" />
   <source>Choose the call to compare with {words}</source>
   <translation>Wählen Sie den Aufruf zum Vergleich mit {words}</translation>
  </message>
  <message>
   <location filename="../../console/history/view.py" />
   <source>Every call is kept here, whoever makes it.</source>
   <translation>Hier wird jeder Aufruf aufbewahrt, wer ihn auch macht.</translation>
  </message>
  <message>
   <location filename="../../console/history/view.py" />
   <source>Export calls as</source>
   <translation>Aufrufe exportieren als</translation>
  </message>
  <message>
   <location filename="../../console/history/view.py" />
   <source>History is off</source>
   <translation>Der Verlauf ist aus</translation>
  </message>
  <message>
   <location filename="../../console/history/view.py" />
   <source>Open on its tool's page</source>
   <translation>Auf der Seite seines Werkzeugs öffnen</translation>
  </message>
  <message>
   <location filename="../../console/history/view.py" />
   <source>Tools run as ever, but their calls cannot be searched, compared or run again later.</source>
   <translation>Werkzeuge laufen wie immer, aber ihre Aufrufe können später nicht gesucht, verglichen oder erneut ausgeführt werden.</translation>
  </message>
  <message>
   <location filename="../../console/history/view.py" />
   <source>Try again</source>
   <translation>Erneut versuchen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/json_view/finding.py" />
   <source>{count:,} values inside do not fit</source>
   <translation>
    <numerusform>1 Wert darin passt nicht</numerusform>
    <numerusform>{count:,} Werte darin passen nicht</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/json_view/pretty.py" />
   <source>a number of more than 4,000 digits</source>
   <translation>eine Zahl mit mehr als 4.000 Ziffern</translation>
  </message>
  <message>
   <location filename="../../console/json_view/pretty.py" />
   <source>{count:,} characters</source>
   <translation>{count:,} Zeichen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/json_view/pretty.py" />
   <source>{count:,} keys</source>
   <translation>
    <numerusform>1 Schlüssel</numerusform>
    <numerusform>{count:,} Schlüssel</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/json_view/preview.py" />
   <source>Open value</source>
   <translation>Wert öffnen</translation>
  </message>
  <message>
   <location filename="../../console/json_view/preview.py" />
   <source>Preview</source>
   <translation>Vorschau</translation>
  </message>
  <message>
   <location filename="../../console/json_view/preview.py" />
   <source>Preview text</source>
   <translation>Text der Vorschau</translation>
  </message>
  <message>
   <location filename="../../console/json_view/preview.py" />
   <source>Too many values inside each other to be written as text. The tree shows them one by one.</source>
   <translation>Zu viele Werte ineinander für einen Text. Der Baum zeigt sie einzeln.</translation>
  </message>
  <message>
   <location filename="../../console/json_view/preview.py" />
   <source>line {line:,}</source>
   <translation>Zeile {line:,}</translation>
  </message>
  <message>
   <location filename="../../console/json_view/preview.py" />
   <source>line {line:,}, column {column}</source>
   <translation>Zeile {line:,}, Spalte {column}</translation>
  </message>
  <message>
   <location filename="../../console/json_view/preview.py" />
   <source>… copy the value to read the rest</source>
   <translation>… kopieren Sie den Wert, um den Rest zu lesen</translation>
  </message>
  <message>
   <location filename="../../console/json_view/query.py" />
   <source>Expected a JMESPath expression such as items[0].name; this one cannot be read at its end.</source>
   <translation>Erwartet wird ein JMESPath-Ausdruck wie items[0].name; dieser ist am Ende nicht lesbar.</translation>
  </message>
  <message>
   <location filename="../../console/json_view/query.py" />
   <source>Expected a JMESPath expression such as items[0].name; this one cannot be read at letter {place}.</source>
   <translation>Erwartet wird ein JMESPath-Ausdruck wie items[0].name; dieser ist bei Zeichen {place} nicht lesbar.</translation>
  </message>
  <message>
   <location filename="../../console/json_view/query.py" />
   <source>The expression took more than {within_s:g} s. Pick from a smaller part.</source>
   <translation>Der Ausdruck brauchte mehr als {within_s:g} s. Wählen Sie aus einem kleineren Teil.</translation>
  </message>
  <message>
   <location filename="../../console/json_view/query.py" />
   <source>Too many values inside each other to pick from. Pick from a part.</source>
   <translation>Zu viele Werte ineinander, um daraus zu wählen. Wählen Sie aus einem Teil.</translation>
  </message>
  <message>
   <location filename="../../console/json_view/query.py" />
   <source>the expression does not fit the value: {error}</source>
   <translation>der Ausdruck passt nicht zum Wert: {error}</translation>
  </message>
  <message>
   <location filename="../../console/json_view/query.py" />
   <source>there is no such function: {error}</source>
   <translation>es gibt keine solche Funktion: {error}</translation>
  </message>
  <message>
   <location filename="../../console/json_view/text_view.py" />
   <source>Break long lines</source>
   <translation>Lange Zeilen umbrechen</translation>
  </message>
  <message>
   <location filename="../../console/json_view/tree_view.py" />
   <source>Open all inside</source>
   <translation>Alles darin öffnen</translation>
  </message>
  <message>
   <location filename="../../console/json_view/tree_view.py" />
   <source>Open to level</source>
   <translation>Bis Ebene öffnen</translation>
  </message>
  <message>
   <location filename="../../console/json_view/tree_view.py" />
   <source>Show as table</source>
   <translation>Als Tabelle zeigen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Add an item</source>
   <translation>Eintrag hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Answer the oldest question</source>
   <translation>Älteste Rückfrage beantworten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Backspace</source>
   <translation>Rücktaste</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Cancel the run</source>
   <translation>Lauf abbrechen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Change between form and JSON</source>
   <translation>Zwischen Formular und JSON wechseln</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Check the installation…</source>
   <translation>Installation prüfen…</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Check this tool</source>
   <translation>Dieses Werkzeug prüfen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Choose an example</source>
   <translation>Beispiel wählen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Clear the cache</source>
   <translation>Cache leeren</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Close the tab</source>
   <translation>Tab schließen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Close the window</source>
   <translation>Fenster schließen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Command palette</source>
   <translation>Befehlspalette</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Compare the arguments</source>
   <translation>Argumente vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Compare the chosen call with another</source>
   <translation>Gewählten Aufruf mit einem anderen vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Compare the results</source>
   <translation>Ergebnisse vergleichen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Context menu</source>
   <translation>Kontextmenü</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Copy the name</source>
   <translation>Namen kopieren</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Copy the path, or the rows as a table</source>
   <translation>Pfad kopieren, oder die Zeilen als Tabelle</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Crash reports…</source>
   <translation>Absturzberichte…</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Ctrl</source>
   <translation>Strg</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Del</source>
   <translation>Entf</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Delete the word before the caret</source>
   <translation>Wort vor dem Cursor löschen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Delete the word behind the caret</source>
   <translation>Wort hinter dem Cursor löschen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Down</source>
   <comment>key</comment>
   <translation>Unten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Duplicate the item</source>
   <translation>Eintrag duplizieren</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Duplicate the steps</source>
   <translation>Schritte duplizieren</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Edit the cell</source>
   <translation>Zelle bearbeiten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Edit the step</source>
   <translation>Schritt bearbeiten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>End</source>
   <comment>key</comment>
   <translation>Ende</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Enter</source>
   <translation>Eingabe</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Everywhere</source>
   <translation>Überall</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Export all tools…</source>
   <translation>Alle Werkzeuge exportieren…</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Filter the tools</source>
   <translation>Werkzeuge filtern</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Find in the result or the logs</source>
   <translation>Im Ergebnis oder Protokoll suchen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>First steps</source>
   <translation>Erste Schritte</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Fold or unfold the arguments</source>
   <translation>Argumente ein- oder ausklappen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Go to {page}</source>
   <translation>Gehe zu {page}</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Help</source>
   <translation>Hilfe</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Hold the calls of all agents, or let them go on</source>
   <translation>Aufrufe aller Agenten anhalten oder fortsetzen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Home</source>
   <comment>key</comment>
   <translation>Pos1</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Ins</source>
   <translation>Einfg</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Leave the field out</source>
   <translation>Feld weglassen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Left</source>
   <comment>key</comment>
   <translation>Links</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Main menu</source>
   <translation>Hauptmenü</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Move the item down</source>
   <translation>Eintrag nach unten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Move the item up</source>
   <translation>Eintrag nach oben</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Move the steps down</source>
   <translation>Schritte nach unten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Move the steps up</source>
   <translation>Schritte nach oben</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Next argument that is missing or wrong</source>
   <translation>Nächstes fehlendes oder falsches Argument</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Next region of the window</source>
   <translation>Nächster Bereich des Fensters</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Next tab</source>
   <translation>Nächster Tab</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>One word to the left</source>
   <translation>Ein Wort nach links</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>One word to the right</source>
   <translation>Ein Wort nach rechts</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Open folder…</source>
   <translation>Ordner öffnen…</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Page</source>
   <translation>Seite</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Paste arguments</source>
   <translation>Argumente einfügen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Pause the run</source>
   <translation>Lauf pausieren</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>PgDown</source>
   <translation>Bild ab</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>PgUp</source>
   <translation>Bild auf</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Previous argument that is missing or wrong</source>
   <translation>Voriges fehlendes oder falsches Argument</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Previous region of the window</source>
   <translation>Voriger Bereich des Fensters</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Previous tab</source>
   <translation>Voriger Tab</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Prompts</source>
   <translation>Prompts</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Questions</source>
   <translation>Rückfragen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Remove the item</source>
   <translation>Eintrag entfernen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Restore the field's default</source>
   <translation>Vorgabe des Feldes wiederherstellen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Resume the run</source>
   <translation>Lauf fortsetzen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Retry what failed</source>
   <translation>Fehlgeschlagenes wiederholen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Right</source>
   <comment>key</comment>
   <translation>Rechts</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Run the chosen call again</source>
   <translation>Gewählten Aufruf erneut ausführen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Run the plan</source>
   <translation>Plan ausführen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Run, passing over the cache</source>
   <translation>Ausführen, am Cache vorbei</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Save the arguments under a name</source>
   <translation>Argumente unter einem Namen speichern</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Save the plan</source>
   <translation>Plan speichern</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Search settings</source>
   <translation>Einstellungen durchsuchen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Send the message</source>
   <translation>Nachricht senden</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Set the field to empty text</source>
   <translation>Feld auf leeren Text setzen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Set the field to null</source>
   <translation>Feld auf null setzen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Settings</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Settings page</source>
   <translation>Einstellungsseite</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Shift</source>
   <translation>Umschalt</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show or hide activity</source>
   <translation>Aktivität ein- oder ausblenden</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show or hide tools</source>
   <translation>Werkzeuge ein- oder ausblenden</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show the attachments</source>
   <translation>Anhänge zeigen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show the history of the tool</source>
   <translation>Verlauf des Werkzeugs zeigen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show the logs</source>
   <translation>Protokoll zeigen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show the result</source>
   <translation>Ergebnis zeigen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show the schemas of the tool</source>
   <translation>Schemas des Werkzeugs zeigen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show the timing</source>
   <translation>Zeiten zeigen</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Show what providers are sent of the tool</source>
   <translation>Zeigen, was Anbieter vom Werkzeug erhalten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Space</source>
   <comment>key</comment>
   <translation>Leertaste</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Stop the call</source>
   <translation>Aufruf anhalten</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>The file of your shortcuts</source>
   <translation>Die Datei Ihrer Tastenkürzel</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>The shortcuts in {path} cannot be read ({why}); those of the program count.</source>
   <translation>Die Tastenkürzel in {path} sind nicht lesbar ({why}); es gelten die des Programms.</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>To the beginning</source>
   <translation>An den Anfang</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>To the end</source>
   <translation>Ans Ende</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Up</source>
   <comment>key</comment>
   <translation>Oben</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>Window</source>
   <translation>Fenster</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>expected one key with Ctrl, Alt or Shift, got {keys!r}</source>
   <translation>erwartet wurde eine Taste mit Strg, Alt oder Umschalt, nicht {keys!r}</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>{keys} alone writes text or moves in lists; use it with Ctrl or Alt, or take a function key</source>
   <translation>{keys} allein schreibt Text oder bewegt sich in Listen; nehmen Sie Strg oder Alt dazu, oder eine Funktionstaste</translation>
  </message>
  <message>
   <location filename="../../console/keymap.py" />
   <source>{keys} is fixed: {name}</source>
   <translation>{keys} ist fest belegt: {name}</translation>
  </message>
  <message>
   <location filename="../../console/notices/tray_view.py" />
   <source>Do not disturb</source>
   <translation>Nicht stören</translation>
  </message>
  <message>
   <location filename="../../console/notices/tray_view.py" />
   <source>Hold the calls of agents</source>
   <translation>Aufrufe der Agenten anhalten</translation>
  </message>
  <message>
   <location filename="../../console/notices/tray_view.py" />
   <source>Let the calls of agents go on</source>
   <translation>Aufrufe der Agenten fortsetzen</translation>
  </message>
  <message>
   <location filename="../../console/notices/tray_view.py" />
   <source>Show Tool Console</source>
   <translation>Tool Console zeigen</translation>
  </message>
  <message>
   <location filename="../../console/palette/presenter.py" />
   <source>0 results</source>
   <translation>0 Treffer</translation>
  </message>
  <message>
   <location filename="../../console/palette/presenter.py" />
   <source>Calls cannot be looked up: {error}</source>
   <translation>Aufrufe können nicht nachgeschlagen werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/palette/presenter.py" />
   <source>Commands</source>
   <translation>Befehle</translation>
  </message>
  <message>
   <location filename="../../console/palette/presenter.py" />
   <source>Looking through the tools…</source>
   <translation>Werkzeuge werden durchsucht…</translation>
  </message>
  <message>
   <location filename="../../console/palette/presenter.py" />
   <source>Recent calls</source>
   <translation>Letzte Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/palette/presenter.py" />
   <source>Recently used</source>
   <translation>Zuletzt benutzt</translation>
  </message>
  <message>
   <location filename="../../console/palette/presenter.py" />
   <source>The nearest name</source>
   <translation>Der ähnlichste Name</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/palette/presenter.py" />
   <source>{count:,} results</source>
   <translation>
    <numerusform>1 Treffer</numerusform>
    <numerusform>{count:,} Treffer</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>Calls are found by tool, caller, arguments and result.</source>
   <translation>Aufrufe werden nach Werkzeug, Aufrufer, Argumenten und Ergebnis gefunden.</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>Commands are what the window's menus and shortcuts do. Without &gt; tools are found too.</source>
   <translation>Befehle sind, was Menüs und Tastenkürzel des Fensters tun. Ohne &gt; werden auch Werkzeuge gefunden.</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>Connect a server on the Servers page.</source>
   <translation>Verbinden Sie einen Server auf der Seite „Server“.</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>MCP server</source>
   <translation>MCP-Server</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>No commands</source>
   <translation>Keine Befehle</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>No servers yet</source>
   <translation>Noch keine Server</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>Nothing to show yet</source>
   <translation>Noch nichts zu zeigen</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>Prompt › {group}</source>
   <translation>Prompt › {group}</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>Try another word for it, or &gt; commands, @ servers, # calls.</source>
   <translation>Versuchen Sie ein anderes Wort, oder &gt; Befehle, @ Server, # Aufrufe.</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>asks before it runs</source>
   <translation>fragt vor dem Ausführen</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>off</source>
   <translation>aus</translation>
  </message>
  <message>
   <location filename="../../console/palette/rows.py" />
   <source>on</source>
   <translation>ein</translation>
  </message>
  <message>
   <location filename="../../console/palette/view.py" />
   <source>Search tools and commands</source>
   <translation>Werkzeuge und Befehle suchen</translation>
  </message>
  <message>
   <location filename="../../console/palette/view.py" />
   <source>calls</source>
   <translation>Aufrufe</translation>
  </message>
  <message>
   <location filename="../../console/palette/view.py" />
   <source>commands</source>
   <translation>Befehle</translation>
  </message>
  <message>
   <location filename="../../console/palette/view.py" />
   <source>move</source>
   <comment>in a list</comment>
   <translation>bewegen</translation>
  </message>
  <message>
   <location filename="../../console/palette/view.py" />
   <source>open</source>
   <comment>verb</comment>
   <translation>öffnen</translation>
  </message>
  <message>
   <location filename="../../console/palette/view.py" />
   <source>run again</source>
   <translation>erneut</translation>
  </message>
  <message>
   <location filename="../../console/palette/view.py" />
   <source>servers</source>
   <translation>Server</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Default</source>
   <translation>Vorgabe</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Last used</source>
   <translation>Zuletzt benutzt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Lasts</source>
   <translation>Gilt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Permission</source>
   <translation>Berechtigung</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Risk</source>
   <translation>Risiko</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Source and tool</source>
   <translation>Quelle und Werkzeug</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Switched off</source>
   <translation>Ausgeschaltet</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>Used</source>
   <translation>Benutzt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/model.py" />
   <source>{words}. It does not count: {suspended}</source>
   <translation>{words}. Zählt nicht: {suspended}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>Added: {rule}</source>
   <translation>Hinzugefügt: {rule}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>Changed: {rule}</source>
   <translation>Geändert: {rule}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>Every tool of {source}</source>
   <translation>Jedes Werkzeug von {source}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>It stands in the project's file, which counts for everybody who works on the project; change it there.</source>
   <translation>Sie steht in der Datei des Projekts, die für alle gilt, die daran arbeiten; ändern Sie sie dort.</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>No program opens such files here; your rules stand in {file}</source>
   <translation>Kein Programm öffnet hier solche Dateien; Ihre Regeln stehen in {file}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>Removed: {rule}</source>
   <translation>Entfernt: {rule}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>There is no file with your rules yet: nothing is remembered in it</source>
   <translation>Es gibt noch keine Datei mit Ihren Regeln: Darin ist nichts gemerkt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>Until {expires_at}</source>
   <translation>Bis {expires_at}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>{tool} asks from now on</source>
   <translation>{tool} fragt ab jetzt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>{tool} goes by risk from now on</source>
   <translation>{tool} richtet sich ab jetzt nach dem Risiko</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>{tool} is allowed from now on</source>
   <translation>{tool} ist ab jetzt erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>{tool} is denied from now on</source>
   <translation>{tool} ist ab jetzt abgelehnt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/page.py" />
   <source>{tool} is gone, so nothing was changed</source>
   <translation>{tool} gibt es nicht mehr, deshalb wurde nichts geändert</translation>
  </message>
  <message>
   <location filename="../../console/permissions/rows.py" />
   <source>The project</source>
   <translation>Das Projekt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/rows.py" />
   <source>Until it is removed</source>
   <translation>Bis sie entfernt wird</translation>
  </message>
  <message>
   <location filename="../../console/permissions/rows.py" />
   <source>Until the program ends</source>
   <translation>Bis zum Programmende</translation>
  </message>
  <message>
   <location filename="../../console/permissions/rows.py" />
   <source>Your file</source>
   <translation>Ihre Datei</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Allow, ask or refuse…</source>
   <translation>Erlauben, fragen oder ablehnen…</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Ask before an agent sends a secret…</source>
   <translation>Fragen, bevor ein Agent ein Geheimnis sendet…</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Choose “This session” or “Always” when you answer a question, and its rule stands here.</source>
   <translation>Wählen Sie „Diese Sitzung“ oder „Immer“, wenn Sie eine Rückfrage beantworten, dann steht ihre Regel hier.</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Chosen rule</source>
   <translation>Gewählte Regel</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Counts</source>
   <translation>Zählt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Edit the rule</source>
   <translation>Regel bearbeiten</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>For 1 hour from now</source>
   <translation>Ab jetzt 1 Stunde</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Hide secrets from agents…</source>
   <translation>Geheimnisse vor Agenten verbergen…</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>It does not count: {suspended}</source>
   <translation>Zählt nicht: {suspended}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Lasts as it does</source>
   <translation>Gilt wie bisher</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>New rule</source>
   <translation>Neue Regel</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Nothing is remembered</source>
   <translation>Nichts gemerkt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Open the file</source>
   <translation>Datei öffnen</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Permissions of sources and tools</source>
   <translation>Berechtigungen von Quellen und Werkzeugen</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Press A to ask, W for always, N for never, R for the default: as its source says, else by the risk</source>
   <translation>Drücken Sie A für Fragen, W für Immer, N für Nie, R für die Vorgabe: wie die Quelle sagt, sonst nach dem Risiko</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>The rules cannot be read.</source>
   <translation>Die Regeln können nicht gelesen werden.</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Tools and sources</source>
   <translation>Werkzeuge und Quellen</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>What is shown</source>
   <translation>Was gezeigt wird</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>What the rule answers</source>
   <translation>Was die Regel antwortet</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>What the rule means</source>
   <translation>Was die Regel bedeutet</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>When the rule ends</source>
   <translation>Wann die Regel endet</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Where no rule speaks, {level}</source>
   <translation>Wo keine Regel gilt: {level}</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>Whether the rule counts</source>
   <translation>Ob die Regel zählt</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>effect is allow, ask or deny. tool, source and caller are names or patterns; [[where]] says what must hold of the arguments: a path, and one of equals, in, prefix, inside, matches, above, below, at_least, at_most, host_in, holds_secret. With moment = "result", redact and redact_secrets hide parts of results.</source>
   <translation>effect ist allow, ask oder deny. tool, source und caller sind Namen oder Muster; [[where]] sagt, was für die Argumente gelten muss: ein Pfad (path) und eines von equals, in, prefix, inside, matches, above, below, at_least, at_most, host_in, holds_secret. Mit moment = "result" verbergen redact und redact_secrets Teile von Ergebnissen.</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>{problem} Until then every call is asked about.</source>
   <translation>{problem} Bis dahin wird bei jedem Aufruf gefragt.</translation>
  </message>
  <message>
   <location filename="../../console/permissions/view.py" />
   <source>{words}. Reason: “{reason}”</source>
   <translation>{words}. Grund: „{reason}“</translation>
  </message>
  <message>
   <location filename="../../console/policies.py" />
   <source>Remembered: {rule}</source>
   <translation>Gemerkt: {rule}</translation>
  </message>
  <message>
   <location filename="../../console/policies.py" />
   <source>Undone</source>
   <translation>Rückgängig gemacht</translation>
  </message>
  <message>
   <location filename="../../console/preferences.py" />
   <source>It counts until the program ends: {path} cannot be written.</source>
   <translation>Gilt, bis das Programm endet: {path} kann nicht geschrieben werden.</translation>
  </message>
  <message>
   <location filename="../../console/preferences.py" />
   <source>The file of the window's settings</source>
   <translation>Die Datei mit den Einstellungen des Fensters</translation>
  </message>
  <message>
   <location filename="../../console/preferences.py" />
   <source>The window's settings in {path} cannot be read ({why}); the defaults count, and none is kept.</source>
   <translation>Die Einstellungen des Fensters in {path} sind nicht lesbar ({why}); es gelten die Vorgaben, und keine wird gespeichert.</translation>
  </message>
  <message>
   <location filename="../../console/preferences.py" />
   <source>The window's settings in {path} cannot be read; defaults count, and none is kept.</source>
   <translation>Die Einstellungen des Fensters in {path} sind nicht lesbar; es gelten Vorgaben, und keine wird gespeichert.</translation>
  </message>
  <message>
   <location filename="../../console/preferences.py" />
   <source>{what} was damaged; it is kept as {name}, and the defaults count.</source>
   <translation>{what} war beschädigt; sie ist als {name} aufbewahrt, und es gelten die Vorgaben.</translation>
  </message>
  <message>
   <location filename="../../console/preferences.py" />
   <source>{what}, {path}, is damaged and cannot be put aside ({why}); the defaults count.</source>
   <translation>{what}, {path}, ist beschädigt und lässt sich nicht beiseitelegen ({why}); es gelten die Vorgaben.</translation>
  </message>
  <message>
   <location filename="../../console/prompts/model.py" />
   <source>Prompt</source>
   <translation>Prompt</translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>Its messages say who speaks</source>
   <translation>Seine Nachrichten sagen, wer spricht</translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>No role</source>
   <translation>Keine Rolle</translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>Speaks as the assistant</source>
   <translation>Spricht als Assistent</translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>Speaks as the user</source>
   <translation>Spricht als Benutzer</translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>User</source>
   <translation>Benutzer</translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>the server {name}</source>
   <translation>dem Server {name}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/prompts/rows.py" />
   <source>{count:,} messages, {letters:,} letters, in {time}</source>
   <translation>
    <numerusform>1 Nachricht, {letters:,} Zeichen, in {time}</numerusform>
    <numerusform>{count:,} Nachrichten, {letters:,} Zeichen, in {time}</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>{speaks} · from {place}</source>
   <translation>{speaks} · von {place}</translation>
  </message>
  <message>
   <location filename="../../console/prompts/rows.py" />
   <source>{toolkit} in {source}</source>
   <translation>{toolkit} in {source}</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>A method with @prompt in a toolkit makes one. Those of MCP servers stand here as well.</source>
   <translation>Eine Methode mit @prompt in einem Toolkit ergibt einen. Die von MCP-Servern stehen auch hier.</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Copy the messages as JSON</source>
   <translation>Nachrichten als JSON kopieren</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Copy the text</source>
   <translation>Text kopieren</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Filter prompts</source>
   <translation>Prompts filtern</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Get the text</source>
   <translation>Text holen</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Getting the text</source>
   <translation>Text wird geholt</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>How the text is shown</source>
   <translation>Wie der Text gezeigt wird</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Names, purposes and sources are looked through.</source>
   <translation>Durchsucht werden Namen, Zwecke und Quellen.</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>No prompts yet</source>
   <translation>Noch keine Prompts</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Open in Assistant</source>
   <translation>Im Assistenten</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Put the text into the message to a model, where it can be changed before it is sent</source>
   <translation>Den Text in die Nachricht an ein Modell setzen, wo er sich vor dem Senden ändern lässt</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>Text of the prompt</source>
   <translation>Text des Prompts</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>The prompt has no message.</source>
   <translation>Der Prompt hat keine Nachricht.</translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>{count:,} of MCP servers</source>
   <translation>{count:,} von MCP-Servern</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/prompts/view.py" />
   <source>{count:,} prompts</source>
   <translation>
    <numerusform>1 Prompt</numerusform>
    <numerusform>{count:,} Prompts</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/prompts/view.py" />
   <source>{found:,} of {count:,}</source>
   <translation>{found:,} von {count:,}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/arguments.py" />
   <source>The clipboard holds no JSON object: {problem}.</source>
   <translation>In der Zwischenablage ist kein JSON-Objekt: {problem}.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/arguments.py" />
   <source>The clipboard holds no text: copy a JSON object with the arguments first.</source>
   <translation>In der Zwischenablage ist kein Text: Kopieren Sie erst ein JSON-Objekt mit den Argumenten.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/choice_editors.py" />
   <source>Choose…</source>
   <translation>Wählen…</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/choice_editors.py" />
   <source>For example {example}</source>
   <translation>Zum Beispiel {example}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/choice_editors.py" />
   <source>Search {count:,} values</source>
   <translation>{count:,} Werte durchsuchen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/choice_editors.py" />
   <source>Search {name}</source>
   <translation>{name} durchsuchen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/choice_editors.py" />
   <source>not set</source>
   <translation>nicht gesetzt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/choice_editors.py" />
   <source>not set, default {default}</source>
   <translation>nicht gesetzt, Vorgabe {default}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/choice_editors.py" />
   <source>{chosen:,} of {count:,} chosen</source>
   <translation>{chosen:,} von {count:,} gewählt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/completions.py" />
   <source>Proposals of the server</source>
   <translation>Vorschläge des Servers</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>Leave out</source>
   <translation>Weglassen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>Restore default</source>
   <translation>Vorgabe wiederherstellen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>Restore default: {default}</source>
   <translation>Vorgabe wiederherstellen: {default}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>Set to empty text</source>
   <translation>Auf leeren Text setzen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>Set to null</source>
   <translation>Auf null setzen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>default</source>
   <translation>Vorgabe</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>default {default}</source>
   <translation>Vorgabe {default}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>deprecated</source>
   <translation>veraltet</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>set</source>
   <translation>gesetzt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/editor.py" />
   <source>set by the tool</source>
   <translation>vom Werkzeug gesetzt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>a multiple of {step}</source>
   <translation>ein Vielfaches von {step}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>a value its schema rules out</source>
   <translation>ein Wert, den das Schema ausschließt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>a value of another kind</source>
   <translation>ein Wert anderer Art</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>at least {limit}</source>
   <translation>mindestens {limit}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>at most {limit}</source>
   <translation>höchstens {limit}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>from {range}</source>
   <translation>von {range}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it fits {count} of the kinds its schema lists</source>
   <translation>es passt zu {count} der Arten im Schema</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it has none of them</source>
   <translation>es hat keines davon</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it has not</source>
   <translation>das fehlt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it has {count}</source>
   <translation>es hat {count}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it has {names}</source>
   <translation>es hat {names}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it holds {count} of all kinds</source>
   <translation>insgesamt sind es {count}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it holds {value} twice</source>
   <translation>{value} steht zweimal darin</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>it is {value}</source>
   <translation>es ist {value}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>none of its {count} is</source>
   <translation>keiner der {count} ist es</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>one of {values} or {more} more</source>
   <translation>einer von {values} oder {more} weiteren</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>something else</source>
   <translation>etwas anderes</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/expectations.py" />
   <source>{count} characters</source>
   <translation>
    <numerusform>1 Zeichen</numerusform>
    <numerusform>{count} Zeichen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/expectations.py" />
   <source>{count} fields</source>
   <translation>
    <numerusform>1 Feld</numerusform>
    <numerusform>{count} Felder</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/expectations.py" />
   <source>{count} items</source>
   <translation>
    <numerusform>1 Eintrag</numerusform>
    <numerusform>{count} Einträge</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{low} to {high} characters</source>
   <translation>{low} bis {high} Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{low} to {high} fields</source>
   <translation>{low} bis {high} Felder</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{low} to {high} items</source>
   <translation>{low} bis {high} Einträge</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} does not fit the rule {keyword!r} of its schema</source>
   <translation>{name} passt nicht zur Regel {keyword!r} des Schemas</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must be one kind of value only</source>
   <translation>{name} darf nur zu einer Art von Wert passen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must be written in {encoding}</source>
   <translation>{name} muss in {encoding} geschrieben sein</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must be {wanted}</source>
   <translation>{name} muss {wanted} sein</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must have only one of {names}</source>
   <translation>{name} darf nur eines davon haben: {names}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must have {wanted}</source>
   <translation>{name} muss {wanted} haben</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must hold an item that is {wanted}</source>
   <translation>{name} muss einen Eintrag dieser Art enthalten: {wanted}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must hold each item once</source>
   <translation>{name} darf jeden Eintrag nur einmal enthalten</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must hold {bounds} of this kind: {wanted}</source>
   <translation>{name} muss {bounds} dieser Art enthalten: {wanted}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must match {pattern}</source>
   <translation>{name} muss auf {pattern} passen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{name} must not be {forbidden}</source>
   <translation>{name} darf nicht {forbidden} sein</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/expectations.py" />
   <source>{values} or {last}</source>
   <translation>{values} oder {last}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>A click on a mark, or the menu key in the field, changes it. * is required.</source>
   <translation>Ein Klick auf ein Zeichen oder die Menütaste im Feld ändert es. * ist erforderlich.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>Deprecated</source>
   <translation>Veraltet</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>Not set</source>
   <translation>Nicht gesetzt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>Null</source>
   <translation>Null</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>Set</source>
   <translation>Gesetzt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>Set by the tool</source>
   <translation>Vom Werkzeug gesetzt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>State of {name}: {state}</source>
   <translation>Zustand von {name}: {state}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>The argument is left out. Grey words are a hint, never sent.</source>
   <translation>Das Argument wird weggelassen. Graue Wörter sind ein Hinweis und werden nie gesendet.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>The field shows the tool's own default, and nobody changed it.</source>
   <translation>Das Feld zeigt die Vorgabe des Werkzeugs, und niemand hat sie geändert.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>The tool gets null: no value, on purpose.</source>
   <translation>Das Werkzeug bekommt null: absichtlich kein Wert.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>The tool gets the value in the field.</source>
   <translation>Das Werkzeug bekommt den Wert im Feld.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>What the marks before fields mean</source>
   <translation>Was die Zeichen vor Feldern bedeuten</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/field_row.py" />
   <source>{state}. Click, or press the menu key in the field, to change that.</source>
   <translation>{state}. Ein Klick oder die Menütaste im Feld ändert das.</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/fields.py" />
   <source>argument {path}</source>
   <translation>Argument {path}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/fields.py" />
   <source>less than {limit}</source>
   <translation>weniger als {limit}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/fields.py" />
   <source>more than {limit}</source>
   <translation>mehr als {limit}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/fields.py" />
   <source>{low} to {high}</source>
   <translation>{low} bis {high}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/flat_schema.py" />
   <source>edited as JSON: its schema refers to itself without end</source>
   <translation>als JSON bearbeitet: Das Schema verweist endlos auf sich selbst</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/flat_schema.py" />
   <source>edited as JSON: its schema refers to something outside it, and nothing is fetched</source>
   <translation>als JSON bearbeitet: Das Schema verweist auf etwas außerhalb, und nichts wird geholt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/flat_schema.py" />
   <source>edited as JSON: {cut}</source>
   <translation>als JSON bearbeitet: {cut}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/flat_schema.py" />
   <source>this part of the schema is too large to show as fields</source>
   <translation>dieser Teil des Schemas ist zu groß, um ihn als Felder zu zeigen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/form.py" />
   <source>The names of these arguments are free</source>
   <translation>Die Namen dieser Argumente sind frei</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_editor.py" />
   <source>JSON: {wanted}</source>
   <translation>JSON: {wanted}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_editor.py" />
   <source>{name} must be JSON; {problem}</source>
   <translation>{name} muss JSON sein; {problem}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>a line break or tab inside quotes is written as \n or \t</source>
   <translation>ein Zeilenumbruch oder Tabulator in Anführungszeichen wird als \n oder \t geschrieben</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected 0 or a number further from it, got {text}</source>
   <translation>erwartet wird 0 oder eine Zahl weiter davon weg, nicht {text}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected JSON</source>
   <translation>hier wird JSON erwartet</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected a colon</source>
   <translation>hier fehlt ein Doppelpunkt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected a comma</source>
   <translation>hier fehlt ein Komma</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected a name in double quotes</source>
   <translation>hier fehlt ein Name in doppelten Anführungszeichen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected a number below 1.8e308, got {text}</source>
   <translation>erwartet wird eine Zahl unter 1.8e308, nicht {text}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected a number of at most {most} digits, got {count}</source>
   <translation>erwartet wird eine Zahl mit höchstens {most} Ziffern, nicht {count}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected a number, got {name}, which JSON does not know</source>
   <translation>erwartet wird eine Zahl, nicht {name}, was JSON nicht kennt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected a value</source>
   <translation>hier fehlt ein Wert</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected an escape such as \n or \\ after the backslash</source>
   <translation>nach dem Backslash fehlt eine Escape-Folge wie \n oder \\</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected an object in braces, such as {}</source>
   <translation>erwartet wird ein Objekt in geschweiften Klammern, wie {}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected both halves of the character that {escape} begins</source>
   <translation>erwartet werden beide Hälften des Zeichens, das {escape} beginnt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected each name once, got {name!r} twice</source>
   <translation>jeder Name darf nur einmal stehen, {name!r} steht zweimal</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected fewer values inside each other</source>
   <translation>zu viele Werte ineinander</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected four hexadecimal digits after \u</source>
   <translation>nach \u fehlen vier hexadezimale Ziffern</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected no comma before the closing brace</source>
   <translation>vor der schließenden Klammer darf kein Komma stehen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected no comma before the closing bracket</source>
   <translation>vor der schließenden eckigen Klammer darf kein Komma stehen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>expected nothing after the closing brace</source>
   <translation>nach der schließenden Klammer darf nichts stehen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>line {line}, column {column}: {message}</source>
   <translation>Zeile {line}, Spalte {column}: {message}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>this text has no closing quote</source>
   <translation>diesem Text fehlt das schließende Anführungszeichen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/json_text.py" />
   <source>{problem}, but the text ends here</source>
   <translation>{problem}, aber der Text endet hier</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/list_editor.py" />
   <source>Add a {item}</source>
   <translation>{item} hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/list_editor.py" />
   <source>Add an {item}</source>
   <translation>{item} hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/list_editor.py" />
   <source>a number</source>
   <translation>eine Zahl</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/list_editor.py" />
   <source>a whole number</source>
   <translation>eine ganze Zahl</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/list_editor.py" />
   <source>item</source>
   <translation>Eintrag</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>Add a name</source>
   <translation>Name hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>Add a name ({key})</source>
   <translation>Name hinzufügen ({key})</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>Enter adds it. {key} comes here from the other names</source>
   <translation>Eingabe fügt ihn hinzu. {key} führt von den anderen Namen hierher</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>Paste names with their values: JSON, or lines such as name: value</source>
   <translation>Namen mit ihren Werten einfügen: JSON oder Zeilen wie Name: Wert</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>name of {name}</source>
   <translation>Name von {name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>names match {pattern}</source>
   <translation>Namen passen auf {pattern}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>new name in {path}</source>
   <translation>neuer Name in {path}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>nothing to paste: expected JSON, or lines such as name: value</source>
   <translation>nichts einzufügen: erwartet wird JSON oder Zeilen wie Name: Wert</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>object</source>
   <translation>Objekt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>optional object</source>
   <translation>optionales Objekt</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/map_editor.py" />
   <source>{count:,} names</source>
   <translation>
    <numerusform>1 Name</numerusform>
    <numerusform>{count:,} Namen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/schema_form/map_editor.py" />
   <source>{path} must have each name once; it has {name} already</source>
   <translation>{path} darf jeden Namen nur einmal haben; {name} gibt es schon</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a JSON pointer such as /people/0/name</source>
   <translation>ein JSON-Pointer wie /people/0/name</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a UUID</source>
   <translation>eine UUID</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a date and time such as 2026-03-31T09:30:00</source>
   <translation>Datum und Uhrzeit wie 2026-03-31T09:30:00</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a date such as 2026-03-31</source>
   <translation>ein Datum wie 2026-03-31</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a duration such as PT1H30M</source>
   <translation>eine Dauer wie PT1H30M</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a list</source>
   <translation>eine Liste</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a list of {count}</source>
   <translation>eine Liste mit {count}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a path</source>
   <translation>ein Pfad</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a regular expression</source>
   <translation>ein regulärer Ausdruck</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a relative JSON pointer such as 1/name</source>
   <translation>ein relativer JSON-Pointer wie 1/name</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a time such as 09:30:00</source>
   <translation>eine Uhrzeit wie 09:30:00</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>a very long number</source>
   <translation>eine sehr lange Zahl</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>an IPv4 address such as 192.0.2.1</source>
   <translation>eine IPv4-Adresse wie 192.0.2.1</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>an IPv6 address such as 2001:db8::1</source>
   <translation>eine IPv6-Adresse wie 2001:db8::1</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>an address such as https://example.org/page</source>
   <translation>eine Adresse wie https://example.org/page</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>an address such as https://example.org/page or /page</source>
   <translation>eine Adresse wie https://example.org/page oder /page</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>an address with places to fill in, such as https://example.org/{name}</source>
   <translation>eine Adresse mit Platzhaltern wie https://example.org/{name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>an e-mail address</source>
   <translation>eine E-Mail-Adresse</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>an object</source>
   <translation>ein Objekt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>each once</source>
   <translation>jeder nur einmal</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>exactly {limit}</source>
   <translation>genau {limit}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>text</source>
   <translation>Text</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>text in base64</source>
   <translation>Text in Base64</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>the name of a computer such as www.example.org</source>
   <translation>der Name eines Rechners wie www.example.org</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>true or false</source>
   <translation>true oder false</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/messages.py" />
   <source>{problem}, and {count} more</source>
   <translation>{problem}, und {count} weitere</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/number_editor.py" />
   <source>steps of {step}</source>
   <translation>in Schritten von {step}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>Choose a file for {name}</source>
   <translation>Datei für {name} wählen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>Choose a file, drop it here, or paste base64</source>
   <translation>Datei wählen, hier ablegen oder Base64 einfügen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>Choose {name}</source>
   <translation>{name} wählen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>File…</source>
   <translation>Datei…</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>Folder…</source>
   <translation>Ordner…</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>Save the content of {name}</source>
   <translation>Inhalt von {name} speichern</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>content</source>
   <translation>Inhalt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>no base64</source>
   <translation>kein Base64</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>not saved: {error}</source>
   <translation>nicht gespeichert: {error}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>saved as {name}</source>
   <translation>als {name} gespeichert</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>{name} takes at most {most}; {file} has {size}</source>
   <translation>{name} nimmt höchstens {most}; {file} hat {size}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/path_editors.py" />
   <source>{name}: {file} cannot be read: {error}</source>
   <translation>{name}: {file} ist nicht lesbar: {error}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>Add an item ({key})</source>
   <translation>Eintrag hinzufügen ({key})</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>Add below</source>
   <translation>Darunter hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>Item {name}</source>
   <translation>Eintrag {name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>More for {name}</source>
   <translation>Mehr zu {name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>Paste items: a JSON list, or one item a line</source>
   <translation>Einträge einfügen: eine JSON-Liste oder ein Eintrag je Zeile</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>Remove ({key})</source>
   <translation>Entfernen ({key})</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>list</source>
   <translation>Liste</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>nothing to paste: expected JSON, or one item a line</source>
   <translation>nichts einzufügen: erwartet wird JSON oder ein Eintrag je Zeile</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/rows_editor.py" />
   <source>optional list</source>
   <translation>optionale Liste</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/structure_editor.py" />
   <source>Add to {name}</source>
   <translation>Zu {name} hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/structure_editor.py" />
   <source>Begin anew</source>
   <translation>Neu beginnen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/structure_editor.py" />
   <source>Fields of {name}</source>
   <translation>Felder von {name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/structure_editor.py" />
   <source>Paste into {name}</source>
   <translation>In {name} einfügen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/structure_editor.py" />
   <source>holds {value}</source>
   <translation>enthält {value}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/table_editor.py" />
   <source>Paste rows: JSON, or lines from a table or a CSV file</source>
   <translation>Zeilen einfügen: JSON oder Zeilen aus einer Tabelle oder CSV-Datei</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/table_editor.py" />
   <source>{action} in {name}</source>
   <translation>{action} in {name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>Calendar for {name}</source>
   <translation>Kalender für {name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>Hide {name}</source>
   <translation>{name} verbergen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>New UUID for {name}</source>
   <translation>Neue UUID für {name}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>PT1H30M, or 1h 30m</source>
   <translation>PT1H30M oder 1h 30m</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>Pick {name}</source>
   <translation>{name} auswählen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>Show {name}</source>
   <translation>{name} zeigen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>becomes {meant} when the field is left</source>
   <translation>wird beim Verlassen des Feldes zu {meant}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{amount} days</source>
   <translation>
    <numerusform>{amount} Tag</numerusform>
    <numerusform>{amount} Tage</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{amount} hours</source>
   <translation>
    <numerusform>{amount} Stunde</numerusform>
    <numerusform>{amount} Stunden</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{amount} minutes</source>
   <translation>
    <numerusform>{amount} Minute</numerusform>
    <numerusform>{amount} Minuten</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{amount} months</source>
   <translation>
    <numerusform>{amount} Monat</numerusform>
    <numerusform>{amount} Monate</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{amount} seconds</source>
   <translation>
    <numerusform>{amount} Sekunde</numerusform>
    <numerusform>{amount} Sekunden</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{amount} weeks</source>
   <translation>
    <numerusform>{amount} Woche</numerusform>
    <numerusform>{amount} Wochen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{amount} years</source>
   <translation>
    <numerusform>{amount} Jahr</numerusform>
    <numerusform>{amount} Jahre</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{length:,} of at least {least:,} characters</source>
   <translation>{length:,} von mindestens {least:,} Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/text_editors.py" />
   <source>{length:,} of {most:,} characters</source>
   <translation>{length:,} von {most:,} Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>a name</source>
   <translation>ein Name</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>expected {expected}</source>
   <translation>erwartet: {expected}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>no name is allowed here</source>
   <translation>hier ist kein Name erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>{name} cannot be called so: {why}</source>
   <translation>{name} darf nicht so heißen: {why}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>{name} is not accepted by this tool</source>
   <translation>{name} wird von diesem Werkzeug nicht angenommen</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>{name} is not an argument of this tool</source>
   <translation>{name} ist kein Argument dieses Werkzeugs</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>{name} is one too many; {list} must have at most {most}</source>
   <translation>{name} ist eins zu viel; {list} darf höchstens {most} haben</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>{name} is required</source>
   <translation>{name} ist erforderlich</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/validation.py" />
   <source>{name} is required when {other} is given</source>
   <translation>{name} ist erforderlich, wenn {other} angegeben ist</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/variant_editor.py" />
   <source>kind of argument {path}</source>
   <translation>Art des Arguments {path}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/variant_editor.py" />
   <source>kind of arguments</source>
   <translation>Art der Argumente</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/variants.py" />
   <source>a listed value</source>
   <translation>ein aufgeführter Wert</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/variants.py" />
   <source>an object with {names}</source>
   <translation>ein Objekt mit {names}</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/variants.py" />
   <source>anything</source>
   <translation>Beliebiges</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/variants.py" />
   <source>edited as JSON: its schema allows more than {most} kinds of value</source>
   <translation>als JSON bearbeitet: Das Schema erlaubt mehr als {most} Arten von Werten</translation>
  </message>
  <message>
   <location filename="../../console/schema_form/variants.py" />
   <source>edited as JSON: its schema seems to allow no value</source>
   <translation>als JSON bearbeitet: Das Schema scheint keinen Wert zu erlauben</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>A command that adds {shown} to another program</source>
   <translation>Ein Befehl, der {shown} einem anderen Programm hinzufügt</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>A command that starts {shown}</source>
   <translation>Ein Befehl, der {shown} startet</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>A link that installs {shown}</source>
   <translation>Ein Link, der {shown} installiert</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>An address</source>
   <translation>Eine Adresse</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>Connected: {who}, {tools}, protocol {version}</source>
   <translation>Verbunden: {who}, {tools}, Protokoll {version}</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>Imported {names}. Look at what each starts, then allow it.</source>
   <translation>{names} importiert. Sehen Sie an, was jeder startet, und erlauben Sie es dann.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>In the place of {written}</source>
   <translation>Anstelle von {written}</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>Settings of {shown}</source>
   <translation>Einstellungen von {shown}</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>There is a server {name} already; this one is called {new_name}</source>
   <translation>Es gibt schon einen Server {name}; dieser heißt {new_name}</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>takes the place of yours</source>
   <translation>ersetzt Ihren</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>takes the place of yours; {note}</source>
   <translation>ersetzt Ihren; {note}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/config_adapter.py" />
   <source>{count:,} servers</source>
   <translation>
    <numerusform>1 Server</numerusform>
    <numerusform>{count:,} Server</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>{kept}. Empty takes the variable {variable} of this computer</source>
   <translation>{kept}. Leer gilt die Variable {variable} dieses Rechners</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_adapter.py" />
   <source>{name!r} cannot name a profile: expected at most 128 letters</source>
   <translation>{name!r} kann kein Profil benennen: höchstens 128 Zeichen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Add and connect</source>
   <translation>Hinzufügen und verbinden</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Add and connect {count:,}</source>
   <translation>{count:,} hinzufügen und verbinden</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Add {name}</source>
   <translation>{name} hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Allow and start</source>
   <translation>Erlauben und starten</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Believe what it says of the risk of its tools</source>
   <translation>Glauben, was er über das Risiko seiner Werkzeuge sagt</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Choose a file that names servers</source>
   <translation>Datei wählen, die Server nennt</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Command or address</source>
   <translation>Befehl oder Adresse</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Command, address or block of settings</source>
   <translation>Befehl, Adresse oder Block von Einstellungen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Connect a server</source>
   <translation>Server verbinden</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Do not start</source>
   <translation>Nicht starten</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Import</source>
   <translation>Importieren</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Import servers</source>
   <translation>Server importieren</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/config_dialog.py" />
   <source>Import {count:,} servers</source>
   <translation>
    <numerusform>1 Server importieren</numerusform>
    <numerusform>{count:,} Server importieren</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Looking for servers</source>
   <translation>Server werden gesucht</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>No other program has any here. Choose a file that names some.</source>
   <translation>Kein anderes Programm hat hier welche. Wählen Sie eine Datei, die welche nennt.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>No servers found</source>
   <translation>Keine Server gefunden</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Nobody has allowed this start yet. You are asked again when the command, its folder, its variables or the address change.</source>
   <translation>Diesen Start hat noch niemand erlaubt. Sie werden wieder gefragt, wenn sich der Befehl, sein Ordner, seine Variablen oder die Adresse ändern.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Or fill in the fields. Nothing runs before you have seen it.</source>
   <translation>Oder füllen Sie die Felder aus. Nichts läuft, bevor Sie es gesehen haben.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Other programs are asked which servers they know.</source>
   <translation>Andere Programme werden gefragt, welche Server sie kennen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Paste a command, an address, or the mcpServers block of a README</source>
   <translation>Fügen Sie einen Befehl, eine Adresse oder den mcpServers-Block einer README ein</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Runs when {name} starts</source>
   <translation>Läuft, wenn {name} startet</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Server</source>
   <translation>Server</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Server settings (*.json *.jsonc *.properties);;All files (*)</source>
   <translation>Servereinstellungen (*.json *.jsonc *.properties);;Alle Dateien (*)</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Servers of other programs</source>
   <translation>Server anderer Programme</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Servers of the pasted text</source>
   <translation>Server des eingefügten Textes</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Start {name}?</source>
   <translation>{name} starten?</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Test connection</source>
   <translation>Verbindung testen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Their secrets move to the keyring. Nothing starts before you have seen what runs.</source>
   <translation>Ihre Geheimnisse kommen in den Schlüsselbund. Nichts startet, bevor Sie gesehen haben, was läuft.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>This is reached, and is sent what its tools are given</source>
   <translation>Das wird erreicht und bekommt, was seine Werkzeuge bekommen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>This runs with your rights</source>
   <translation>Das läuft mit Ihren Rechten</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>Transport</source>
   <translation>Transport</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>{name} is reached at</source>
   <translation>{name} wird erreicht unter</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_dialog.py" />
   <source>{origin} names no further server.</source>
   <translation>{origin} nennt keinen weiteren Server.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>${env:NAME} takes one of yours; secrets are moved to the keyring.</source>
   <translation>${env:NAME} nimmt eine von Ihren; Geheimnisse kommen in den Schlüsselbund.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Believe what it says of the risk of its tools. Otherwise that can only raise the question.</source>
   <translation>Glauben, was er über das Risiko seiner Werkzeuge sagt. Sonst kann das nur zu einer Rückfrage führen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Connecting</source>
   <translation>Verbindet</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Folder, description, time limit, protocol and trust</source>
   <translation>Ordner, Beschreibung, Zeitlimit, Protokoll und Vertrauen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Headers</source>
   <translation>Header</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>How long a request may take.</source>
   <translation>Wie lange eine Anfrage dauern darf.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>How the server is reached</source>
   <translation>Wie der Server erreicht wird</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Legacy, with sessions</source>
   <translation>Älter, mit Sitzungen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Modern, without sessions</source>
   <translation>Modern, ohne Sitzungen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>One argument each; no shell reads them.</source>
   <translation>Je ein Argument; keine Shell liest sie.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Protocol</source>
   <translation>Protokoll</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>SSE (older)</source>
   <translation>SSE (älter)</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Sent with each request. Secrets are moved to the keyring.</source>
   <translation>Gehen mit jeder Anfrage mit. Geheimnisse kommen in den Schlüsselbund.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>The folder it starts in; the project's if empty.</source>
   <translation>Der Ordner, in dem er startet; leer der des Projekts.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>The newest that both sides know</source>
   <translation>Die neueste, die beide Seiten kennen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>The program that is started.</source>
   <translation>Das Programm, das gestartet wird.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Time limit</source>
   <translation>Zeitlimit</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Trust</source>
   <translation>Vertrauen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Variables</source>
   <translation>Variablen</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>What is reached</source>
   <translation>Was erreicht wird</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>What it is called here. Its tools are named after it.</source>
   <translation>Wie er hier heißt. Seine Werkzeuge sind nach ihm benannt.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>What it is for, in your words.</source>
   <translation>Wofür er da ist, in Ihren Worten.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>What runs when it starts</source>
   <translation>Was läuft, wenn er startet</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_form.py" />
   <source>Which revision of the protocol is spoken.</source>
   <translation>Welche Fassung des Protokolls gesprochen wird.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>Added {names}</source>
   <translation>{names} hinzugefügt</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>All servers count now</source>
   <translation>Jetzt gelten alle Server</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>Connecting. A first start may take a while, until all is loaded.</source>
   <translation>Verbindet. Ein erster Start kann dauern, bis alles geladen ist.</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>Only the servers of {name} count now</source>
   <translation>Jetzt gelten nur die Server von {name}</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>Removed the profile {name}; its servers stay</source>
   <translation>Profil {name} entfernt; seine Server bleiben</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>Removed {server}</source>
   <translation>{server} entfernt</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>Saved {name}</source>
   <translation>{name} gespeichert</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>The entry of {server} is on the clipboard, without its secrets</source>
   <translation>Der Eintrag von {server} ist in der Zwischenablage, ohne seine Geheimnisse</translation>
  </message>
  <message>
   <location filename="../../console/servers/config_presenter.py" />
   <source>You are asked again when {server} wants to know its folders</source>
   <translation>Sie werden wieder gefragt, wenn {server} seine Ordner wissen will</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Approve</source>
   <translation>Freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Approve all</source>
   <translation>Alle freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Approve both</source>
   <translation>Beide freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Approve this tool</source>
   <translation>Werkzeug freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Approve {tool}</source>
   <translation>{tool} freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Ask again for its folders</source>
   <translation>Wieder nach seinen Ordnern fragen</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Block this tool</source>
   <translation>Dieses Werkzeug sperren</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Changes of the definition</source>
   <translation>Änderungen der Definition</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Connect</source>
   <translation>Verbinden</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Copy for other programs</source>
   <translation>Für andere Programme kopieren</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Disconnect</source>
   <translation>Trennen</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>How the definitions are compared</source>
   <translation>Wie die Definitionen verglichen werden</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Keep paused</source>
   <translation>Angehalten lassen</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Log (*.log)</source>
   <translation>Protokoll (*.log)</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>More about this server</source>
   <translation>Mehr zu diesem Server</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Next change</source>
   <translation>Nächste Änderung</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>No definition changed</source>
   <translation>Keine Definition geändert</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>No prompts</source>
   <translation>Keine Prompts</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Parts of the server</source>
   <translation>Teile des Servers</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Ping</source>
   <translation>Ping</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Previous change</source>
   <translation>Vorige Änderung</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Resources</source>
   <translation>Ressourcen</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Save the log</source>
   <translation>Protokoll speichern</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Save the log…</source>
   <translation>Protokoll speichern…</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Switch off</source>
   <translation>Ausschalten</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>Switch on</source>
   <translation>Einschalten</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>The texts that the server makes stand here.</source>
   <translation>Hier stehen die Texte, die der Server macht.</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>What each tool says of itself is compared with what you approved, whenever the server lists its tools.</source>
   <translation>Sooft der Server seine Werkzeuge nennt, wird das, was jedes über sich sagt, mit dem verglichen, was Sie freigegeben haben.</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>What runs when it starts…</source>
   <translation>Was läuft, wenn er startet…</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>What went wrong</source>
   <translation>Was schiefging</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/detail_view.py" />
   <source>{count:,} definitions changed since you approved them on {since}.</source>
   <translation>
    <numerusform>1 Definition hat sich geändert, seit Sie sie am {since} freigegeben haben.</numerusform>
    <numerusform>{count:,} Definitionen haben sich geändert, seit Sie sie am {since} freigegeben haben.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/detail_view.py" />
   <source>{count:,} definitions changed since you approved them.</source>
   <translation>
    <numerusform>1 Definition hat sich geändert, seit Sie sie freigegeben haben.</numerusform>
    <numerusform>{count:,} Definitionen haben sich geändert, seit Sie sie freigegeben haben.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>{first} and {last} are paused until you review them.</source>
   <translation>{first} und {last} sind angehalten, bis Sie sie prüfen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>{place} of {rows}</source>
   <translation>{place} von {rows}</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>{tool} and {others} others are paused until you review them.</source>
   <translation>{tool} und {others} weitere sind angehalten, bis Sie sie prüfen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/detail_view.py" />
   <source>{tool} is paused until you review it.</source>
   <translation>{tool} ist angehalten, bis Sie es prüfen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/elicitation.py" />
   <source>It waits for your answer in the window.</source>
   <translation>Er wartet im Fenster auf Ihre Antwort.</translation>
  </message>
  <message>
   <location filename="../../console/servers/elicitation.py" />
   <source>No program opens addresses here. It is {url}</source>
   <translation>Kein Programm öffnet hier Adressen. Sie lautet {url}</translation>
  </message>
  <message>
   <location filename="../../console/servers/elicitation.py" />
   <source>The address is on the clipboard</source>
   <translation>Die Adresse ist in der Zwischenablage</translation>
  </message>
  <message>
   <location filename="../../console/servers/elicitation.py" />
   <source>{server} asks too much at once: further questions of it are declined</source>
   <translation>{server} fragt zu viel auf einmal: weitere Rückfragen werden abgelehnt</translation>
  </message>
  <message>
   <location filename="../../console/servers/elicitation.py" />
   <source>{server} asks you something</source>
   <translation>{server} fragt Sie etwas</translation>
  </message>
  <message>
   <location filename="../../console/servers/elicitation.py" />
   <source>{server} does not need the answer any more</source>
   <translation>{server} braucht die Antwort nicht mehr</translation>
  </message>
  <message>
   <location filename="../../console/servers/engine_servers.py" />
   <source>{name} answered in {elapsed_s}</source>
   <translation>{name} hat nach {elapsed_s} geantwortet</translation>
  </message>
  <message>
   <location filename="../../console/servers/engine_servers.py" />
   <source>{name} did not say what else it offers: {error}</source>
   <translation>{name} hat nicht gesagt, was er sonst anbietet: {error}</translation>
  </message>
  <message>
   <location filename="../../console/servers/engine_servers.py" />
   <source>{uri} cannot be filled in: {error}</source>
   <translation>{uri} lässt sich nicht ausfüllen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/servers/engine_servers.py" />
   <source>{uri} of {name} changed</source>
   <translation>{uri} von {name} hat sich geändert</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Chosen line</source>
   <translation>Gewählte Zeile</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Copy the chosen lines, or all</source>
   <translation>Gewählte Zeilen oder alle kopieren</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Every other line is one click away.</source>
   <translation>Jede andere Zeile ist einen Klick entfernt.</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Line</source>
   <translation>Zeile</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Lines of the log</source>
   <translation>Zeilen des Protokolls</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Log lines</source>
   <translation>Protokollzeilen</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Log of the server</source>
   <translation>Protokoll des Servers</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>No such line</source>
   <translation>Keine solche Zeile</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>Nothing was said yet</source>
   <translation>Noch nichts gesagt</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>What the server writes, and what is said to it.</source>
   <translation>Was der Server schreibt und was ihm gesagt wird.</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>log</source>
   <translation>Protokoll</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>output</source>
   <translation>Ausgabe</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>received</source>
   <translation>empfangen</translation>
  </message>
  <message>
   <location filename="../../console/servers/log_view.py" />
   <source>sent</source>
   <translation>gesendet</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>Approved, look closer</source>
   <translation>Freigegeben, genau ansehen</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>Blocked, look closer</source>
   <translation>Gesperrt, genau ansehen</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>Changed, look closer</source>
   <translation>Geändert, genau ansehen</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>Era</source>
   <translation>Ära</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>New, look closer</source>
   <translation>Neu, genau ansehen</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>Off, look closer</source>
   <translation>Aus, genau ansehen</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>Resource</source>
   <translation>Ressource</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>The server on its risk</source>
   <translation>Der Server zum Risiko</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>The server {risk_words}</source>
   <translation>Der Server {risk_words}</translation>
  </message>
  <message>
   <location filename="../../console/servers/model.py" />
   <source>What it does</source>
   <translation>Was es tut</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>A model reads what stands here. An approved tool still asks where your rules say so; one that is not approved asks before its first call, and one that changes later is paused.</source>
   <translation>Was hier steht, liest ein Modell. Ein freigegebenes Werkzeug fragt weiter, wo Ihre Regeln es sagen; ein nicht freigegebenes fragt vor seinem ersten Aufruf, und eines, das sich später ändert, wird angehalten.</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Approve all new…</source>
   <translation>Alle neuen freigeben…</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Approve all {total:,}</source>
   <translation>Alle {total:,} freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Approve {count:,} of {total:,}</source>
   <translation>{count:,} von {total:,} freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Choose a resource and read it: what it says is shown here.</source>
   <translation>Wählen Sie eine Ressource und lesen Sie sie: Ihr Inhalt erscheint hier.</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Definition as the server sent it</source>
   <translation>Definition, wie der Server sie gesendet hat</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Definitions as the server sent them</source>
   <translation>Definitionen, wie der Server sie gesendet hat</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Follow</source>
   <translation>Verfolgen</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Look closer: {words}: {excerpt}</source>
   <translation>Genau ansehen: {words}: {excerpt}</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>New tools</source>
   <translation>Neue Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>New tools of {server}</source>
   <translation>Neue Werkzeuge von {server}</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>No resources</source>
   <translation>Keine Ressourcen</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>No tools</source>
   <translation>Keine Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>No tools yet</source>
   <translation>Noch keine Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Not now</source>
   <translation>Jetzt nicht</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Nothing was read yet</source>
   <translation>Noch nichts gelesen</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Read</source>
   <translation>Lesen</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Reading</source>
   <translation>Liest</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Resources of the server</source>
   <translation>Ressourcen des Servers</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>The server is connected and offers none.</source>
   <translation>Der Server ist verbunden und bietet keine an.</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>The tools of the server stand here once it is connected.</source>
   <translation>Die Werkzeuge des Servers stehen hier, sobald er verbunden ist.</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Tools of the server</source>
   <translation>Werkzeuge des Servers</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>What looks like a trick</source>
   <translation>Was nach einem Trick aussieht</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>What the server lets one read stands here.</source>
   <translation>Hier steht, was der Server lesen lässt.</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Whether changes of the resource are told</source>
   <translation>Ob Änderungen der Ressource gemeldet werden</translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>Whether the tool can be called</source>
   <translation>Ob sich das Werkzeug aufrufen lässt</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/offers_view.py" />
   <source>{count:,} new tools ask before their first call, until you approve them</source>
   <translation>
    <numerusform>1 neues Werkzeug fragt vor seinem ersten Aufruf, bis Sie es freigeben</numerusform>
    <numerusform>{count:,} neue Werkzeuge fragen vor ihrem ersten Aufruf, bis Sie sie freigeben</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/offers_view.py" />
   <source>{count:,} new tools of {server}</source>
   <translation>
    <numerusform>1 neues Werkzeug von {server}</numerusform>
    <numerusform>{count:,} neue Werkzeuge von {server}</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/offers_view.py" />
   <source>{count:,} of them look like a trick; mark what you mean to approve</source>
   <translation>
    <numerusform>{count} davon sieht nach einem Trick aus; markieren Sie, was Sie freigeben wollen</numerusform>
    <numerusform>{count:,} davon sehen nach einem Trick aus; markieren Sie, was Sie freigeben wollen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/offers_view.py" />
   <source>{name}, look closer</source>
   <translation>{name}, genau ansehen</translation>
  </message>
  <message>
   <location filename="../../console/servers/page.py" />
   <source>Its entry goes, with its secrets and what you approved of its tools. This cannot be undone.</source>
   <translation>Sein Eintrag verschwindet, mit seinen Geheimnissen und dem, was Sie von seinen Werkzeugen freigegeben haben. Das lässt sich nicht rückgängig machen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/page.py" />
   <source>They are shown when the tools are loaded.</source>
   <translation>Sie erscheinen, wenn die Werkzeuge geladen sind.</translation>
  </message>
  <message>
   <location filename="../../console/servers/page.py" />
   <source>{name} is connected again</source>
   <translation>{name} ist wieder verbunden</translation>
  </message>
  <message>
   <location filename="../../console/servers/page.py" />
   <source>{name} is not connected: {error}</source>
   <translation>{name} ist nicht verbunden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/servers/presenter.py" />
   <source>Approved {words} of {server}</source>
   <translation>{words} von {server} freigegeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/presenter.py" />
   <source>Not approved, as it is not what was shown any more: {other}</source>
   <translation>Nicht freigegeben, da es nicht mehr das Gezeigte ist: {other}</translation>
  </message>
  <message>
   <location filename="../../console/servers/presenter.py" />
   <source>Nothing was approved: the changed tools stay paused</source>
   <translation>Nichts freigegeben: Die geänderten Werkzeuge bleiben angehalten</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/presenter.py" />
   <source>Saved {count:,} lines as {path}</source>
   <translation>
    <numerusform>1 Zeile als {path} gespeichert</numerusform>
    <numerusform>{count:,} Zeilen als {path} gespeichert</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/presenter.py" />
   <source>Signed in at {name}</source>
   <translation>Bei {name} angemeldet</translation>
  </message>
  <message>
   <location filename="../../console/servers/presenter.py" />
   <source>{name} keeps no message of this call: it was answered from the cache, or long ago</source>
   <translation>{name} hat keine Nachricht dieses Aufrufs mehr: Er kam aus dem Cache oder ist lange her</translation>
  </message>
  <message>
   <location filename="../../console/servers/presenter.py" />
   <source>{tool} of {server} is blocked until you approve it</source>
   <translation>{tool} von {server} ist gesperrt, bis Sie es freigeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>A name stands before the host, which can mislead: the address leads to {plain}.</source>
   <translation>Vor dem Host steht ein Name, das kann täuschen: Die Adresse führt zu {plain}.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Add a folder</source>
   <translation>Ordner hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Add a folder…</source>
   <translation>Ordner hinzufügen…</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Address: {address}</source>
   <translation>Adresse: {address}</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Asked by the server {who}</source>
   <translation>Gefragt vom Server {who}</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Decline</source>
   <translation>Ablehnen</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Folders</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>It is told their paths. That alone opens nothing: what its process may read, the system decides.</source>
   <translation>Er erfährt ihre Pfade. Das allein öffnet nichts: Was sein Prozess lesen darf, entscheidet das System.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>No model is asked by itself. At most {max_tokens:,} tokens are wanted.</source>
   <translation>Kein Modell wird von selbst gefragt. Gewünscht sind höchstens {max_tokens:,} Token.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Only addresses that begin with http:// or https:// are opened.</source>
   <translation>Nur Adressen, die mit http:// oder https:// beginnen, werden geöffnet.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Open in the browser</source>
   <translation>Im Browser öffnen</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Share</source>
   <translation>Teilen</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Share none</source>
   <translation>Keinen teilen</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>The connection is not encrypted.</source>
   <translation>Die Verbindung ist nicht verschlüsselt.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>The host has letters that can look like others: it is {plain}.</source>
   <translation>Der Host hat Buchstaben, die wie andere aussehen können: Er lautet {plain}.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>The host of this address is no valid name.</source>
   <translation>Der Host dieser Adresse ist kein gültiger Name.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>The host stands for other letters: {host}.</source>
   <translation>Der Host steht für andere Buchstaben: {host}.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>The whole address; its host is marked</source>
   <translation>Die ganze Adresse; ihr Host ist markiert</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>This is no address: {error}.</source>
   <translation>Das ist keine Adresse: {error}.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>What the server says</source>
   <translation>Was der Server sagt</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>What you enter goes to the server. Never enter passwords, tokens or card numbers here.</source>
   <translation>Was Sie eingeben, geht an den Server. Geben Sie hier nie Passwörter, Token oder Kartennummern ein.</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Which folders may {server} know of?</source>
   <translation>Welche Ordner darf {server} kennen?</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Write what the model would answer</source>
   <translation>Schreiben Sie, was das Modell antworten würde</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>Your answer</source>
   <translation>Ihre Antwort</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>assistant</source>
   <translation>Assistent</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>system</source>
   <translation>System</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>user</source>
   <translation>Benutzer</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/question_dialog.py" />
   <source>{beginning}… ({count:,} more letters)</source>
   <translation>
    <numerusform>{beginning}… (1 weiteres Zeichen)</numerusform>
    <numerusform>{beginning}… ({count:,} weitere Zeichen)</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>{server} asks for a model's answer</source>
   <translation>{server} bittet um die Antwort eines Modells</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>{server} needs an answer</source>
   <translation>{server} braucht eine Antwort</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>{server} wants you to open an address</source>
   <translation>{server} möchte, dass Sie eine Adresse öffnen</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>{server}, during {tool}</source>
   <translation>{server}, während {tool}</translation>
  </message>
  <message>
   <location filename="../../console/servers/question_dialog.py" />
   <source>{who}, for the agent {name}</source>
   <translation>{who}, für den Agenten {name}</translation>
  </message>
  <message>
   <location filename="../../console/servers/rows.py" />
   <source>Look and allow…</source>
   <translation>Ansehen und erlauben…</translation>
  </message>
  <message>
   <location filename="../../console/servers/rows.py" />
   <source>Review</source>
   <translation>Prüfen</translation>
  </message>
  <message>
   <location filename="../../console/servers/rows.py" />
   <source>Sign in</source>
   <translation>Anmelden</translation>
  </message>
  <message>
   <location filename="../../console/servers/rows.py" />
   <source>View log</source>
   <translation>Protokoll zeigen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/rows.py" />
   <source>{count:,} MCP servers</source>
   <translation>
    <numerusform>1 MCP-Server</numerusform>
    <numerusform>{count:,} MCP-Server</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/rows.py" />
   <source>{servers}, {connected:,} connected, {tools}</source>
   <translation>{servers}, {connected:,} verbunden, {tools}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>After {elapsed}</source>
   <translation>Nach {elapsed}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Approved</source>
   <translation>Freigegeben</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Attempt {attempt} in {left}</source>
   <translation>Versuch {attempt} in {left}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Calls run as before once you approve it.</source>
   <translation>Nach der Freigabe laufen Aufrufe wie zuvor.</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Calls will ask for approval while the tool counts as destructive.</source>
   <translation>Aufrufe brauchen eine Freigabe, solange das Werkzeug als zerstörend gilt.</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Changed, paused</source>
   <translation>Geändert, angehalten</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Command not found</source>
   <translation>Befehl nicht gefunden</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Connected, {changed} changed</source>
   <translation>Verbunden, {changed} geändert</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Connecting, attempt {attempt}</source>
   <translation>Verbindet, Versuch {attempt}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Did not start</source>
   <translation>Nicht gestartet</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Disconnected</source>
   <translation>Getrennt</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Exit code {exit_code}</source>
   <translation>Exit-Code {exit_code}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>More dangerous</source>
   <translation>Gefährlicher</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Needs you to sign in</source>
   <translation>Anmeldung nötig</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>New</source>
   <translation>Neu</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>No answer in time</source>
   <translation>Keine Antwort rechtzeitig</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Not allowed yet</source>
   <translation>Noch nicht erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Not in this profile</source>
   <translation>Nicht in diesem Profil</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Not reachable</source>
   <translation>Nicht erreichbar</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Not to be repeated now</source>
   <translation>Jetzt nicht wiederholbar</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Now changes things</source>
   <translation>Ändert jetzt etwas</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Now destructive</source>
   <translation>Jetzt zerstörend</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Now reaches out</source>
   <translation>Reicht jetzt hinaus</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Off, not allowed yet</source>
   <translation>Aus, noch nicht erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Off, starts with a call</source>
   <translation>Aus, startet mit Aufruf</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Request: {request}, after {elapsed}</source>
   <translation>Anfrage: {request}, nach {elapsed}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Says less of its risk</source>
   <translation>Sagt weniger über sein Risiko</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Sends no protocol</source>
   <translation>Sendet kein Protokoll</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Sent too much</source>
   <translation>Zu viel gesendet</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Settings are wrong</source>
   <translation>Einstellungen falsch</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Signal {signal}</source>
   <translation>Signal {signal}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Stopped, exit code {exit_code}</source>
   <translation>Beendet, Exit-Code {exit_code}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Stopped, signal {signal}</source>
   <translation>Beendet, Signal {signal}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>Wrong answer</source>
   <translation>Falsche Antwort</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>changes something</source>
   <translation>ändert etwas</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>description</source>
   <translation>Beschreibung</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>destroys nothing</source>
   <translation>zerstört nichts</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>legacy era</source>
   <translation>ältere Ära</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>may be repeated</source>
   <translation>wiederholbar</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>may destroy</source>
   <translation>zerstört evtl.</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>modern era</source>
   <translation>moderne Ära</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>only reads</source>
   <translation>liest nur</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>reaches out</source>
   <translation>reicht hinaus</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>says nothing</source>
   <translation>sagt nichts</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>stays here</source>
   <translation>bleibt hier</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>up {span}</source>
   <translation>läuft seit {span}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>what it says of its risk</source>
   <translation>was es über sein Risiko sagt</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/snapshots.py" />
   <source>{count} arguments</source>
   <translation>
    <numerusform>1 Argument</numerusform>
    <numerusform>{count} Argumente</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{days} d {hours} h</source>
   <translation>{days} d {hours} h</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{day} {month}</source>
   <translation>{day}. {month}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{finding}, in {where}</source>
   <translation>{finding}, in {where}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{first} and {last}</source>
   <translation>{first} und {last}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{hours} h {minutes} min</source>
   <translation>{hours} h {minutes} min</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{request} answered in {elapsed}</source>
   <translation>{request} beantwortet nach {elapsed}</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{seconds} s</source>
   <translation>{seconds} s</translation>
  </message>
  <message>
   <location filename="../../console/servers/snapshots.py" />
   <source>{uri} is empty; read in {elapsed}</source>
   <translation>{uri} ist leer; in {elapsed} gelesen</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/servers/snapshots.py" />
   <source>{uri} read in {elapsed} in {count:,} parts</source>
   <translation>
    <numerusform>{uri} in {elapsed} gelesen</numerusform>
    <numerusform>{uri} in {elapsed} gelesen, in {count:,} Teilen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/servers/start_view.py" />
   <source>nothing</source>
   <translation>nichts</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>All servers</source>
   <translation>Alle Server</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Import config…</source>
   <translation>Konfiguration importieren…</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>MCP servers</source>
   <translation>MCP-Server</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Profile: {chosen}</source>
   <translation>Profil: {chosen}</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Profiles</source>
   <translation>Profile</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Remove the profile {profile}</source>
   <translation>Profil {profile} entfernen</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Save what is on as a profile…</source>
   <translation>Eingeschaltete als Profil speichern…</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Servers that are switched on now belong to it; all others stay off while it counts.</source>
   <translation>Jetzt eingeschaltete Server gehören dazu; alle anderen bleiben aus, solange es gilt.</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Some servers are missing.</source>
   <translation>Einige Server fehlen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>Takes the place of {text}</source>
   <translation>Ersetzt {text}</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>The servers cannot be read.</source>
   <translation>Die Server lassen sich nicht lesen.</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>The tools of an MCP server become tools here. Paste its command, its address or its README's block with Ctrl+V.</source>
   <translation>Die Werkzeuge eines MCP-Servers werden hier zu Werkzeugen. Fügen Sie mit Strg+V seinen Befehl, seine Adresse oder den Block seiner README ein.</translation>
  </message>
  <message>
   <location filename="../../console/servers/view.py" />
   <source>all servers</source>
   <translation>alle Server</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Advanced</source>
   <translation>Erweitert</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Appearance</source>
   <translation>Darstellung</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Approvals and autonomy</source>
   <translation>Freigaben und Autonomie</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>History and audit</source>
   <translation>Verlauf und Prüfprotokoll</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>How much of the past is kept. The audit log is never shortened.</source>
   <translation>Wie viel Vergangenes aufbewahrt wird. Das Prüfprotokoll wird nie gekürzt.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>How other programs are served through the gateway.</source>
   <translation>Wie andere Programme über das Gateway bedient werden.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>How the window looks and moves.</source>
   <translation>Wie das Fenster aussieht und sich bewegt.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>How web tools, models and MCP servers are reached, from the next request on.</source>
   <translation>Wie Web-Werkzeuge, Modelle und MCP-Server erreicht werden, ab der nächsten Anfrage.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>How your own tools are loaded.</source>
   <translation>Wie Ihre eigenen Werkzeuge geladen werden.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Keys</source>
   <comment>credentials</comment>
   <translation>Schlüssel</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Notices</source>
   <translation>Benachrichtigungen</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Plugins</source>
   <translation>Plugins</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Project</source>
   <translation>Projekt</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Roles</source>
   <translation>Rollen</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Shortcuts</source>
   <translation>Tastenkürzel</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>The folder that relative paths mean, and what is read from it.</source>
   <translation>Der Ordner, den relative Pfade meinen, und was daraus gelesen wird.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>What runs unasked, and what becomes of questions.</source>
   <translation>Was ungefragt läuft, und was aus Rückfragen wird.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>What services let you in with. Keys stay in the system's keyring and are never shown.</source>
   <translation>Womit Dienste Sie einlassen. Schlüssel bleiben im Schlüsselbund des Systems und werden nie gezeigt.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>What the desktop tells you while the window is not in front.</source>
   <translation>Was der Desktop meldet, solange das Fenster nicht vorn ist.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>What tools are given, which are disabled, and where they run.</source>
   <translation>Was Werkzeuge bekommen, welche deaktiviert sind und wo sie laufen.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>What you may do beyond others: tools and questions may ask for a role.</source>
   <translation>Was Sie mehr dürfen als andere: Werkzeuge und Rückfragen können eine Rolle verlangen.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Where everything is kept, and what helps when something is wrong.</source>
   <translation>Wo alles liegt, und was hilft, wenn etwas nicht stimmt.</translation>
  </message>
  <message>
   <location filename="../../console/settings/preference.py" />
   <source>Which keys call which command. Enter or a double-click gives one others.</source>
   <translation>Welche Tasten welchen Befehl aufrufen. Eingabe oder ein Doppelklick ändert sie.</translation>
  </message>
  <message>
   <location filename="../../console/settings/rows.py" />
   <source>Environment</source>
   <translation>Umgebung</translation>
  </message>
  <message>
   <location filename="../../console/settings/rows.py" />
   <source>Set in</source>
   <translation>Gesetzt in</translation>
  </message>
  <message>
   <location filename="../../console/settings/rows.py" />
   <source>a secret</source>
   <translation>ein Geheimnis</translation>
  </message>
  <message>
   <location filename="../../console/settings/rows.py" />
   <source>{where}. Another place outweighs it.</source>
   <translation>{where}. Ein anderer Ort hat Vorrang.</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Another one</source>
   <translation>Ein anderer</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Asking…</source>
   <translation>Anfrage läuft…</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Comes from</source>
   <translation>Herkunft</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Databases</source>
   <translation>Datenbanken</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Expected letters, digits and _ as the name of a key, got {name!r}.</source>
   <translation>Als Name eines Schlüssels wurden Buchstaben, Ziffern und _ erwartet, nicht {name!r}.</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>For</source>
   <translation>Für</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Forges</source>
   <translation>Forges</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Keyring</source>
   <translation>Schlüsselbund</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Mail</source>
   <translation>E-Mail</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Mail that is sent</source>
   <translation>E-Mail-Versand</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Mailbox</source>
   <translation>Postfach</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Messages</source>
   <translation>Nachrichten</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>None yet</source>
   <translation>Noch keiner</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Service</source>
   <translation>Dienst</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Signature of that webhook</source>
   <translation>Signatur dieses Webhooks</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>The environment outweighs the one in the keyring</source>
   <translation>Die Umgebung hat Vorrang vor dem im Schlüsselbund</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>This system has no keyring, so keys cannot be kept here. Install or unlock one (on Linux gnome-keyring or KWallet), or set environment variables of these names before the program starts.</source>
   <translation>Dieses System hat keinen Schlüsselbund, daher lassen sich hier keine Schlüssel aufbewahren. Installieren oder entsperren Sie einen (unter Linux gnome-keyring oder KWallet), oder setzen Sie vor dem Start des Programms Umgebungsvariablen dieser Namen.</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Web search</source>
   <translation>Websuche</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>Webhook of one's own</source>
   <translation>Eigener Webhook</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>key token secret</source>
   <translation>Schlüssel Token Geheimnis</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>{name} is in the keyring no more.</source>
   <translation>{name} ist nicht mehr im Schlüsselbund.</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys.py" />
   <source>{name} is in the keyring.</source>
   <translation>{name} ist im Schlüsselbund.</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys_view.py" />
   <source>Ask the service with a request that costs nothing</source>
   <translation>Den Dienst mit einer kostenlosen Anfrage fragen</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys_view.py" />
   <source>Choose one above, or write the name that a tool of yours asks for</source>
   <translation>Oben einen wählen, oder den Namen schreiben, den ein Werkzeug von Ihnen verlangt</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys_view.py" />
   <source>Keys of services</source>
   <translation>Schlüssel von Diensten</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys_view.py" />
   <source>Name of the key</source>
   <translation>Name des Schlüssels</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys_view.py" />
   <source>Replace in the keyring</source>
   <translation>Im Schlüsselbund ersetzen</translation>
  </message>
  <message>
   <location filename="../../console/settings/service_keys_view.py" />
   <source>Test</source>
   <translation>Testen</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>Command</source>
   <translation>Befehl</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>Fixed</source>
   <translation>Fest</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>Keys</source>
   <translation>Tasten</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>None</source>
   <comment>keys</comment>
   <translation>Keine</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>The shortcuts could not be kept, and nothing changed: {error}.</source>
   <translation>Die Tastenkürzel konnten nicht gespeichert werden, und nichts hat sich geändert: {error}.</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>shortcut</source>
   <translation>Tastenkürzel</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/settings/shortcuts.py" />
   <source>{keys} is already used by {named}. They lose these keys if you give them to “{name}”.</source>
   <translation>
    <numerusform>{keys} gehört schon zu {named}. Der Befehl verliert diese Tasten, wenn Sie sie „{name}“ geben.</numerusform>
    <numerusform>{keys} gehört schon zu {named}. Die Befehle verlieren diese Tasten, wenn Sie sie „{name}“ geben.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>{keys} is fixed: {name}. Press others</source>
   <translation>{keys} ist fest belegt: {name}. Drücken Sie andere</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts.py" />
   <source>“{name}”</source>
   <translation>„{name}“</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Change…</source>
   <translation>Ändern…</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Keys for “{name}”</source>
   <translation>Tasten für „{name}“</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>No keys</source>
   <translation>Keine Tasten</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Now {keys}</source>
   <translation>Jetzt {keys}</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Press the keys</source>
   <translation>Tasten drücken</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Press them. Nothing changes before you agree.</source>
   <translation>Drücken Sie sie. Nichts ändert sich, bevor Sie zustimmen.</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Reset</source>
   <translation>Zurücksetzen</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Reset all</source>
   <translation>Alle zurücksetzen</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Take these keys</source>
   <translation>Diese Tasten übernehmen</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>These keys are fixed</source>
   <translation>Diese Tasten sind fest</translation>
  </message>
  <message>
   <location filename="../../console/settings/shortcuts_view.py" />
   <source>Use these keys</source>
   <translation>Diese Tasten nehmen</translation>
  </message>
  <message>
   <location filename="../../console/settings/tool_values_view.py" />
   <source>Another secret</source>
   <translation>Ein anderes Geheimnis</translation>
  </message>
  <message>
   <location filename="../../console/settings/tool_values_view.py" />
   <source>In the project's file, for everybody who works on it</source>
   <translation>In der Datei des Projekts, für alle, die daran arbeiten</translation>
  </message>
  <message>
   <location filename="../../console/settings/tool_values_view.py" />
   <source>It is set where the program starts</source>
   <translation>Sie ist dort gesetzt, wo das Programm startet</translation>
  </message>
  <message>
   <location filename="../../console/settings/tool_values_view.py" />
   <source>Name a setting below, and give it a value.</source>
   <translation>Nennen Sie unten eine Einstellung und geben Sie ihr einen Wert.</translation>
  </message>
  <message>
   <location filename="../../console/settings/tool_values_view.py" />
   <source>Nothing is set</source>
   <translation>Nichts ist gesetzt</translation>
  </message>
  <message>
   <location filename="../../console/settings/tool_values_view.py" />
   <source>Tools that ask for them are given these values from their next call on. disabled_toolkits names toolkits, with commas between; enabled_tools has regular expressions for Toolkit:tool, with blanks between. Calls of tools that are disabled are refused.</source>
   <translation>Werkzeuge, die danach fragen, bekommen diese Werte ab ihrem nächsten Aufruf. disabled_toolkits nennt Toolkits, durch Kommas getrennt; enabled_tools enthält reguläre Ausdrücke für Toolkit:tool, durch Leerzeichen getrennt. Aufrufe deaktivierter Werkzeuge werden verweigert.</translation>
  </message>
  <message>
   <location filename="../../console/settings/tool_values_view.py" />
   <source>Values of tools</source>
   <translation>Werte von Werkzeugen</translation>
  </message>
  <message>
   <location filename="../../console/settings/view.py" />
   <source>Clear the search to see all of them.</source>
   <translation>Leeren Sie die Suche, um alle zu sehen.</translation>
  </message>
  <message>
   <location filename="../../console/settings/view.py" />
   <source>No setting is found by that</source>
   <translation>Damit wird keine Einstellung gefunden</translation>
  </message>
  <message>
   <location filename="../../console/settings/view.py" />
   <source>Reset to default</source>
   <translation>Auf Vorgabe zurücksetzen</translation>
  </message>
  <message>
   <location filename="../../console/settings/view.py" />
   <source>Reset {title} to its default</source>
   <translation>{title} auf die Vorgabe zurücksetzen</translation>
  </message>
  <message>
   <location filename="../../console/settings/view.py" />
   <source>Restart now</source>
   <translation>Jetzt neu starten</translation>
  </message>
  <message>
   <location filename="../../console/settings/view.py" />
   <source>Restarts the program; what is open comes back.</source>
   <translation>Startet das Programm neu; was offen ist, kommt wieder.</translation>
  </message>
  <message>
   <location filename="../../console/settings/view.py" />
   <source>Sections of the settings</source>
   <translation>Abschnitte der Einstellungen</translation>
  </message>
  <message>
   <location filename="../../console/startup/early_window.py" />
   <source>A part of the program cannot be loaded: {error}. Install it again; the log has more.</source>
   <translation>Ein Teil des Programms lässt sich nicht laden: {error}. Installieren Sie es neu; im Protokoll steht mehr.</translation>
  </message>
  <message>
   <location filename="../../console/startup/early_window.py" />
   <source>Tool Console cannot start</source>
   <translation>Tool Console kann nicht starten</translation>
  </message>
  <message>
   <location filename="../../console/startup/early_window.py" />
   <source>{name} opens in a moment.</source>
   <translation>{name} öffnet sich gleich.</translation>
  </message>
  <message>
   <location filename="../../console/support/diagnostics.py" />
   <source>Check the installation</source>
   <translation>Installation prüfen</translation>
  </message>
  <message>
   <location filename="../../console/support/diagnostics.py" />
   <source>Hide</source>
   <translation>Ausblenden</translation>
  </message>
  <message>
   <location filename="../../console/support/diagnostics.py" />
   <source>No plugins, no servers and no agents; the window's settings are the usual ones and are not kept. Your rules hold.</source>
   <translation>Keine Plugins, keine Server und keine Agenten; die Einstellungen des Fensters sind die üblichen und werden nicht gespeichert. Ihre Regeln gelten.</translation>
  </message>
  <message>
   <location filename="../../console/support/diagnostics.py" />
   <source>Safe mode.</source>
   <translation>Abgesicherter Modus.</translation>
  </message>
  <message>
   <location filename="../../console/support/diagnostics.py" />
   <source>Show the report</source>
   <translation>Bericht zeigen</translation>
  </message>
  <message>
   <location filename="../../console/support/diagnostics.py" />
   <source>The last start ended unexpectedly.</source>
   <translation>Der letzte Start endete unerwartet.</translation>
  </message>
  <message>
   <location filename="../../console/support/diagnostics.py" />
   <source>The report stays on this computer.</source>
   <translation>Der Bericht bleibt auf diesem Computer.</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>Audit log</source>
   <translation>Prüfprotokoll</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>Every call is written into a chain of entries: what was proposed, shown, decided, executed and returned. An entry that somebody changes, removes or moves breaks the chain.</source>
   <translation>Jeder Aufruf wird in eine Kette von Einträgen geschrieben: was vorgeschlagen, gezeigt, entschieden, ausgeführt und zurückgegeben wurde. Wird ein Eintrag geändert, entfernt oder verschoben, reißt die Kette.</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>Help pages</source>
   <translation>Hilfeseiten</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>Help text</source>
   <translation>Hilfetext</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>It lives in</source>
   <translation>Es liegt in</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>Search the help</source>
   <translation>Hilfe durchsuchen</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>These differ from the tables below, which name the keys as the program brings them.</source>
   <translation>Diese weichen von den Tabellen darunter ab, in denen die mitgelieferten Tasten stehen.</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>This command checks it</source>
   <translation>Dieser Befehl prüft es</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>Yours</source>
   <translation>Ihre</translation>
  </message>
  <message>
   <location filename="../../console/support/help_dialogs.py" />
   <source>| Keys | What happens |</source>
   <translation>| Tasten | Was geschieht |</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>All is well.</source>
   <translation>Alles in Ordnung.</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>Check of the installation</source>
   <translation>Prüfung der Installation</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>Crash reports</source>
   <translation>Absturzberichte</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>Looking at files, folders, keyring and libraries…</source>
   <translation>Dateien, Ordner, Schlüsselbund und Bibliotheken werden geprüft…</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>Nothing failed so far.</source>
   <translation>Bisher ist nichts fehlgeschlagen.</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>Problem</source>
   <translation>Problem</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>The report</source>
   <translation>Der Bericht</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>What failed in the program itself. Reports stay on this computer; known secrets are hidden.</source>
   <translation>Was im Programm selbst fehlschlug. Berichte bleiben auf diesem Computer; bekannte Geheimnisse sind verborgen.</translation>
  </message>
  <message>
   <location filename="../../console/support/installation_dialogs.py" />
   <source>What was found</source>
   <translation>Befund</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/support/installation_dialogs.py" />
   <source>{count} problems</source>
   <translation>
    <numerusform>1 Problem</numerusform>
    <numerusform>{count} Probleme</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/support/installation_dialogs.py" />
   <source>{count} warnings</source>
   <translation>
    <numerusform>1 Warnung</numerusform>
    <numerusform>{count} Warnungen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/tool_list.py" />
   <source>APIs</source>
   <translation>APIs</translation>
  </message>
  <message>
   <location filename="../../console/tool_list.py" />
   <source>Built-in</source>
   <translation>Eingebaut</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>All saved requests…</source>
   <translation>Alle gespeicherten Argumente…</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Arguments of the last run</source>
   <translation>Argumente des letzten Laufs</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Everything that is missing or wrong, the next and the one before</source>
   <translation>Alles, was fehlt oder falsch ist, das nächste und das vorige</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Examples</source>
   <translation>Beispiele</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Fill the form with an example, the last run or the clipboard</source>
   <translation>Das Formular mit einem Beispiel, dem letzten Lauf oder der Zwischenablage füllen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Fold the arguments</source>
   <translation>Argumente einklappen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Form or JSON</source>
   <translation>Formular oder JSON</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Put the defaults in place of all arguments</source>
   <translation>Alle Argumente durch die Vorgaben ersetzen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Save the arguments under a name, or open saved ones</source>
   <translation>Argumente unter einem Namen speichern oder gespeicherte öffnen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Saved requests</source>
   <translation>Gespeicherte Argumente</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Save…</source>
   <translation>Speichern…</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>Show the arguments</source>
   <translation>Argumente zeigen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>What is missing or wrong</source>
   <translation>Was fehlt oder falsch ist</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>{count:,} missing</source>
   <translation>{count:,} fehlen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>{count:,} wrong</source>
   <translation>{count:,} falsch</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>{fitting} of {total} valid</source>
   <translation>{fitting} von {total} gültig</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/arguments_view.py" />
   <source>{more:,} more</source>
   <translation>{more:,} weitere</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/copy_as.py" />
   <source>Command line</source>
   <translation>Befehlszeile</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/copy_as.py" />
   <source>Python</source>
   <translation>Python</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>Add a step with these arguments to the plan on the Batch page</source>
   <translation>Dem Plan auf der Seite „Stapel“ einen Schritt mit diesen Argumenten hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>Facts</source>
   <translation>Merkmale</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>Findings in {title}</source>
   <translation>Befunde in {title}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>Nothing is running</source>
   <translation>Nichts läuft</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>Run former version</source>
   <translation>Vorige Fassung ausführen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>Stop the call (Esc)</source>
   <translation>Aufruf anhalten (Esc)</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>The tool was asked to stop</source>
   <translation>Das Werkzeug wurde gebeten anzuhalten</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>What a model reads of the tool, and how it reads better.</source>
   <translation>Was ein Modell über das Werkzeug liest, und wie es sich besser liest.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/header_view.py" />
   <source>What is wrong with how models are told of this tool</source>
   <translation>Was daran falsch ist, wie Modelle von diesem Werkzeug erfahren</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>Install</source>
   <translation>Installieren</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>Installing the extra “{extra}”…</source>
   <translation>Das Extra „{extra}“ wird installiert…</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>The extra “{extra}” could not be installed.</source>
   <translation>Das Extra „{extra}“ konnte nicht installiert werden.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>The extra “{extra}” is not installed.</source>
   <translation>Das Extra „{extra}“ ist nicht installiert.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>This tool needs {libraries}.</source>
   <translation>Dieses Werkzeug braucht {libraries}.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>pip starts.</source>
   <translation>pip startet.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>{needs} Installing it takes pip and the internet.</source>
   <translation>{needs} Die Installation braucht pip und das Internet.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/library_rows.py" />
   <source>{needs} The extra “{extra}” is being installed first.</source>
   <translation>{needs} Zuerst wird das Extra „{extra}“ installiert.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/lint_rows.py" />
   <source>Sent with every request, estimated: its definition {definition} tokens, its examples {examples}.</source>
   <translation>Mit jeder Anfrage gesendet, geschätzt: Definition {definition} Token, Beispiele {examples}.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/lint_rows.py" />
   <source>Sent with every request, estimated: its definition {definition} tokens.</source>
   <translation>Mit jeder Anfrage gesendet, geschätzt: Definition {definition} Token.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/tool_page/lint_rows.py" />
   <source>{count} findings</source>
   <translation>
    <numerusform>{count} Befund</numerusform>
    <numerusform>{count} Befunde</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/tool_page/lint_rows.py" />
   <source>≈ {total} tokens</source>
   <translation>≈ {total} Token</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>Correct how the tool or the program is set up, then run it again.</source>
   <translation>Berichtigen Sie, wie das Werkzeug oder das Programm eingerichtet ist, und führen Sie es erneut aus.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>From history, {time}, called by {caller}</source>
   <translation>Aus dem Verlauf, {time}, Aufrufer: {caller}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>From history, {time}, called by {caller}. Not kept: {missing}</source>
   <translation>Aus dem Verlauf, {time}, Aufrufer: {caller}. Nicht aufbewahrt: {missing}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>No result of {name} was kept.</source>
   <translation>Kein Ergebnis von {name} war aufbewahrt.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>Nothing held {name} back any more.</source>
   <translation>Nichts hielt {name} mehr auf.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>Run the version before the one that does not load, with these arguments</source>
   <translation>Die Fassung vor der, die nicht lädt, mit diesen Argumenten ausführen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>This is the call of {caller} at {time}.</source>
   <translation>Das ist der Aufruf um {time}, Aufrufer: {caller}.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>This tool works on files, and finds them from a project folder.</source>
   <translation>Dieses Werkzeug arbeitet mit Dateien und findet sie von einem Projektordner aus.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>Try the sample project</source>
   <translation>Beispielprojekt ausprobieren</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/tool_page/presenter.py" />
   <source>{count:,} kept results were forgotten: the next call runs {name} anew.</source>
   <translation>
    <numerusform>{count:,} aufbewahrtes Ergebnis wurde vergessen: Der nächste Aufruf führt {name} neu aus.</numerusform>
    <numerusform>{count:,} aufbewahrte Ergebnisse wurden vergessen: Der nächste Aufruf führt {name} neu aus.</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/tool_page/presenter.py" />
   <source>{missing} are not kept in the history. Fill them in, then run.</source>
   <translation>
    <numerusform>{missing} steht nicht im Verlauf. Füllen Sie es aus und führen Sie dann aus.</numerusform>
    <numerusform>{missing} stehen nicht im Verlauf. Füllen Sie sie aus und führen Sie dann aus.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>{name} could not be run</source>
   <translation>{name} konnte nicht ausgeführt werden</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>{name} needs a project folder, and no project is open</source>
   <translation>{name} braucht einen Projektordner, und kein Projekt ist geöffnet</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>{name} runs again as usual.</source>
   <translation>{name} läuft wieder wie üblich.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>{name} runs already</source>
   <translation>{name} läuft schon</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>{name} runs already. Stop it first, or wait until it ends.</source>
   <translation>{name} läuft schon. Halten Sie es zuerst an oder warten Sie, bis es endet.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/presenter.py" />
   <source>{name} runs here. The other call can be shown when it ended.</source>
   <translation>{name} läuft hier. Der andere Aufruf kann gezeigt werden, wenn es geendet hat.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>All arguments are back at their defaults.</source>
   <translation>Alle Argumente stehen wieder auf ihren Vorgaben.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>Requests are saved in the project folder, and no project is open</source>
   <translation>Argumente werden im Projektordner gespeichert, und kein Projekt ist geöffnet</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>Saved as {place!r}.</source>
   <translation>Gespeichert als {place!r}.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>The example filled the arguments.</source>
   <translation>Das Beispiel hat die Argumente gefüllt.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>The pasted JSON replaced the arguments: {count} arguments.</source>
   <translation>
    <numerusform>Das eingefügte JSON hat die Argumente ersetzt: {count} Argument.</numerusform>
    <numerusform>Das eingefügte JSON hat die Argumente ersetzt: {count} Argumente.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>These are the arguments of the last run.</source>
   <translation>Das sind die Argumente des letzten Laufs.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>{names} are secret and not in the plan, whose file may be shared</source>
   <translation>
    <numerusform>{names} ist geheim und steht nicht im Plan, dessen Datei vielleicht geteilt wird</numerusform>
    <numerusform>{names} sind geheim und stehen nicht im Plan, dessen Datei vielleicht geteilt wird</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>{names} are secret and not saved: the file may be shared.</source>
   <translation>
    <numerusform>{names} ist geheim und wird nicht gespeichert: Die Datei wird vielleicht geteilt.</numerusform>
    <numerusform>{names} sind geheim und werden nicht gespeichert: Die Datei wird vielleicht geteilt.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>{place!r} filled the arguments.</source>
   <translation>{place!r} hat die Argumente gefüllt.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>{place!r} is back.</source>
   <translation>{place!r} ist wieder da.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>{place!r} is called {new!r} now.</source>
   <translation>{place!r} heißt jetzt {new!r}.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/preset_presenter.py" />
   <source>{place!r} was deleted.</source>
   <translation>{place!r} wurde gelöscht.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>a name does not start or end with a dot: {part!r}</source>
   <translation>ein Name beginnt und endet nicht mit einem Punkt: {part!r}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>a name is expected</source>
   <translation>ein Name wird erwartet</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>a request {taken!r} is there already</source>
   <translation>{taken!r} gibt es schon</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>expected a name before and after each slash, without spaces around it</source>
   <translation>vor und nach jedem Schrägstrich wird ein Name ohne Leerzeichen darum erwartet</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>expected a name of at most {longest_name} characters, got {count}</source>
   <translation>ein Name mit höchstens {longest_name} Zeichen wird erwartet, es sind {count}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>expected at most {most_bytes:,} bytes</source>
   <translation>höchstens {most_bytes:,} Byte werden erwartet</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>expected at most {most_folders} folders inside each other, got {count}</source>
   <translation>höchstens {most_folders} Ordner ineinander erwartet, es sind {count}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>expected text in UTF-8</source>
   <translation>Text in UTF-8 wird erwartet</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>expected {"tool": …, "arguments": {…}}</source>
   <translation>{"tool": …, "arguments": {…}} wird erwartet</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>not every system can have a file called {part!r}</source>
   <translation>nicht jedes System kann eine Datei namens {part!r} haben</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>the file cannot be read: {error}</source>
   <translation>die Datei kann nicht gelesen werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>the file is no JSON object: {problem}</source>
   <translation>die Datei ist kein JSON-Objekt: {problem}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>the file {name!r} cannot be written: {error}</source>
   <translation>die Datei {name!r} kann nicht geschrieben werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>the folder cannot be read: {error}</source>
   <translation>der Ordner kann nicht gelesen werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>{more:,} more files are not listed: {most_files:,} are the most</source>
   <translation>{more:,} weitere Dateien stehen nicht in der Liste: {most_files:,} sind das Höchste</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>{place!r} cannot be deleted: {error}</source>
   <translation>{place!r} kann nicht gelöscht werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>{place!r} cannot be renamed: {error}</source>
   <translation>{place!r} kann nicht umbenannt werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/request_files.py" />
   <source>{place!r} lies outside the project</source>
   <translation>{place!r} liegt außerhalb des Projekts</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>Name of the request</source>
   <translation>Name der Argumente</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>No saved requests</source>
   <translation>Keine gespeicherten Argumente</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>Replace</source>
   <translation>Ersetzen</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>Save the arguments</source>
   <translation>Argumente speichern</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>Saved in {requests_folder} of the project. A slash makes a folder.</source>
   <translation>Gespeichert in {requests_folder} des Projekts. Ein Schrägstrich ergibt einen Ordner.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>Saved requests of {title}</source>
   <translation>Gespeicherte Argumente von {title}</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>Save… in the menu keeps the arguments under a name.</source>
   <translation>„Speichern…“ im Menü bewahrt die Argumente unter einem Namen auf.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/requests_dialog.py" />
   <source>billing/lost order</source>
   <translation>Abrechnung/verlorene Bestellung</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/view.py" />
   <source>Choose two calls, the second one with Ctrl, then Compare.</source>
   <translation>Wählen Sie zwei Aufrufe, den zweiten mit Strg, dann „Vergleichen“.</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/view.py" />
   <source>Guards</source>
   <translation>Schutz</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/view.py" />
   <source>History (Alt+6)</source>
   <translation>Verlauf (Alt+6)</translation>
  </message>
  <message>
   <location filename="../../console/tool_page/view.py" />
   <source>Libraries</source>
   <translation>Bibliotheken</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>1 value</source>
   <translation>1 Wert</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>Picked</source>
   <translation>Gewählt</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>Row {row:,}</source>
   <translation>Zeile {row:,}</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>Show the whole result</source>
   <translation>Ganzes Ergebnis zeigen</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>There is more inside: {rows:,} rows are open. Open further ones as you need them.</source>
   <translation>Es gibt noch mehr darin: {rows:,} Zeilen sind offen. Öffnen Sie weitere bei Bedarf.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>{expression} picks {amount}</source>
   <translation>{expression} wählt {amount}</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>{name} table</source>
   <translation>{name} als Tabelle</translation>
  </message>
  <message>
   <location filename="../../console/viewers/content_view.py" />
   <source>{name} text</source>
   <translation>{name} als Text</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>Length</source>
   <translation>Länge</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>Pages</source>
   <translation>Seiten</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>The picture cannot be shown: {error}.</source>
   <translation>Das Bild lässt sich nicht zeigen: {error}.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>The text is no JSON: {error}.</source>
   <translation>Der Text ist kein JSON: {error}.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>The text is no table: it has no rows.</source>
   <translation>Der Text ist keine Tabelle: Er hat keine Zeilen.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>The text is no table: {error}.</source>
   <translation>Der Text ist keine Tabelle: {error}.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>There is no list of objects to be shown as a table.</source>
   <translation>Es gibt keine Liste von Objekten, die sich als Tabelle zeigen ließe.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>not said</source>
   <translation>nicht angegeben</translation>
  </message>
  <message>
   <location filename="../../console/viewers/preparing.py" />
   <source>… {more:,} more bytes: save the file to have them all</source>
   <translation>… {more:,} weitere Bytes: Speichern Sie die Datei, um alle zu haben</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/viewers/presenter.py" />
   <source>Saved {count:,} rows as {path}.</source>
   <translation>
    <numerusform>1 Zeile als {path} gespeichert.</numerusform>
    <numerusform>{count:,} Zeilen als {path} gespeichert.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/viewers/presenter.py" />
   <source>The result cannot be shown as {form}: {error}</source>
   <translation>Das Ergebnis lässt sich nicht als {form} zeigen: {error}</translation>
  </message>
  <message>
   <location filename="../../console/viewers/presenter.py" />
   <source>There is no program for {type}. Save the file to use it elsewhere.</source>
   <translation>Für {type} gibt es kein Programm. Speichern Sie die Datei, um sie anderswo zu benutzen.</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/viewers/presenter.py" />
   <source>{count:,} rows are on the clipboard.</source>
   <translation>
    <numerusform>1 Zeile ist in der Zwischenablage.</numerusform>
    <numerusform>{count:,} Zeilen sind in der Zwischenablage.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/viewers/presenter.py" />
   <source>{name} could not be saved: {error}. Choose another place.</source>
   <translation>{name} ließ sich nicht speichern: {error}. Wählen Sie einen anderen Ort.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/rendered_view.py" />
   <source>Open with another program</source>
   <translation>Mit anderem Programm öffnen</translation>
  </message>
  <message>
   <location filename="../../console/viewers/rendered_view.py" />
   <source>Picture</source>
   <translation>Bild</translation>
  </message>
  <message>
   <location filename="../../console/viewers/rendered_view.py" />
   <source>{name} as a page</source>
   <translation>{name} als Seite</translation>
  </message>
  <message>
   <location filename="../../console/viewers/rendered_view.py" />
   <source>{width} by {height} pixels</source>
   <translation>{width} mal {height} Pixel</translation>
  </message>
  <message>
   <location filename="../../console/viewers/rendered_view.py" />
   <source>… {more:,} more characters: Source shows them all.</source>
   <translation>… {more:,} weitere Zeichen: Quelltext zeigt sie alle.</translation>
  </message>
  <message>
   <location filename="../../console/viewers/representations.py" />
   <source>Bytes</source>
   <translation>Bytes</translation>
  </message>
  <message>
   <location filename="../../console/viewers/representations.py" />
   <source>Rendered</source>
   <translation>Dargestellt</translation>
  </message>
  <message>
   <location filename="../../console/viewers/representations.py" />
   <source>Source</source>
   <comment>of a text</comment>
   <translation>Quelltext</translation>
  </message>
  <message>
   <location filename="../../console/viewers/representations.py" />
   <source>Table</source>
   <translation>Tabelle</translation>
  </message>
  <message>
   <location filename="../../console/viewers/table_view.py" />
   <source>Columns</source>
   <translation>Spalten</translation>
  </message>
  <message>
   <location filename="../../console/viewers/table_view.py" />
   <source>Export the rows as {kind}</source>
   <translation>Zeilen als {kind} exportieren</translation>
  </message>
  <message>
   <location filename="../../console/viewers/table_view.py" />
   <source>Filter rows</source>
   <translation>Zeilen filtern</translation>
  </message>
  <message>
   <location filename="../../console/viewers/table_view.py" />
   <source>Shown rows as {kind}…</source>
   <translation>Gezeigte Zeilen als {kind}…</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/viewers/table_view.py" />
   <source>{count:,} rows of {place}</source>
   <translation>
    <numerusform>1 Zeile von {place}</numerusform>
    <numerusform>{count:,} Zeilen von {place}</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>All five steps are done. Help has them again.</source>
   <translation>Alle fünf Schritte sind erledigt. Unter „Hilfe“ gibt es sie wieder.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Approve a call</source>
   <translation>Aufruf freigeben</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Bring your own</source>
   <translation>Eigenes mitbringen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Close the first steps</source>
   <translation>Erste Schritte schließen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Connect an MCP server…</source>
   <translation>MCP-Server verbinden…</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Connect an agent or a server, or write a tool from a template.</source>
   <translation>Einen Agenten oder Server verbinden, oder ein Werkzeug nach einer Vorlage schreiben.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Deletes a scratch folder made for this. Run it, and allow what it asks.</source>
   <translation>Löscht einen Übungsordner, der dafür angelegt wurde. Führen Sie es aus und erlauben Sie die Rückfrage.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Opens a tool with an example filled in. Press Run there.</source>
   <translation>Öffnet ein Werkzeug mit ausgefülltem Beispiel. Drücken Sie dort „Ausführen“.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Opens the Health page and runs the tool again.</source>
   <translation>Öffnet die Seite „Zustand“ und führt das Werkzeug erneut aus.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Opens the sample batch. Press Run there.</source>
   <translation>Öffnet den Beispielstapel. Drücken Sie dort „Ausführen“.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Run a batch</source>
   <translation>Stapel ausführen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Run a tool</source>
   <translation>Werkzeug ausführen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>See health move</source>
   <translation>Zustand beobachten</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Skip the first steps</source>
   <translation>Erste Schritte überspringen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>Write a tool from a template…</source>
   <translation>Werkzeug nach Vorlage schreiben…</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>next</source>
   <translation>als Nächstes</translation>
  </message>
  <message>
   <location filename="../../console/welcome/first_steps_view.py" />
   <source>to do</source>
   <translation>offen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>Missing</source>
   <translation>Fehlt</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>Opened {time}</source>
   <translation>Geöffnet {time}</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>Recent projects</source>
   <translation>Letzte Projekte</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>Remove {name} from the list</source>
   <translation>{name} aus der Liste entfernen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>The folder is gone. Remove it from the list with Delete.</source>
   <translation>Den Ordner gibt es nicht mehr. Entfernen Sie ihn mit Entf aus der Liste.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>opened before</source>
   <translation>früher geöffnet</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>opened {when}</source>
   <translation>geöffnet {when}</translation>
  </message>
  <message>
   <location filename="../../console/welcome/recent_view.py" />
   <source>the folder is missing</source>
   <translation>der Ordner fehlt</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>A Python file with type hints is enough.</source>
   <translation>Eine Python-Datei mit Typangaben genügt.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Add a plugin file</source>
   <translation>Plugin-Datei hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Add your own tools</source>
   <translation>Eigene Werkzeuge hinzufügen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>All shortcuts</source>
   <translation>Alle Tastenkürzel</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>By command or by address. You review its tools before they can run.</source>
   <translation>Per Befehl oder Adresse. Sie prüfen seine Werkzeuge, bevor sie laufen können.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Connect an MCP server</source>
   <translation>MCP-Server verbinden</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Connect…</source>
   <translation>Verbinden…</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Filter the tools tree</source>
   <translation>Werkzeuge filtern</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Let an agent in</source>
   <translation>Agent zulassen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Next tool tab</source>
   <translation>Nächster Werkzeug-Tab</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>No built-in tools</source>
   <translation>Keine eingebauten Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>No project is open</source>
   <translation>Kein Projekt ist offen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>None has run yet.</source>
   <translation>Noch keines lief.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Open the sample project</source>
   <translation>Beispielprojekt öffnen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Opens</source>
   <translation>Öffnet</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Project {name}</source>
   <translation>Projekt {name}</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Run your first tool</source>
   <translation>Erstes Werkzeug ausführen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Run, test and watch over the tools your agents use. Start with the built-in tools, or bring your own.</source>
   <translation>Führen Sie die Werkzeuge Ihrer Agenten aus, testen und überwachen Sie sie. Beginnen Sie mit den eingebauten oder bringen Sie eigene mit.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>The gateway serves this computer only and asks before risky calls.</source>
   <translation>Das Gateway bedient nur diesen Computer und fragt vor riskanten Aufrufen.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>They could not be loaded; the log says why.</source>
   <translation>Sie konnten nicht geladen werden; das Protokoll sagt, warum.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Tools that work on files find them from a project folder.</source>
   <translation>Werkzeuge für Dateien finden diese von einem Projektordner aus.</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>Welcome to Tool Console</source>
   <translation>Willkommen bei Tool Console</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>to be filled in</source>
   <translation>zum Ausfüllen</translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>with its example</source>
   <translation>mit Beispiel</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/welcome/view.py" />
   <source>{count:,} built-in tools</source>
   <translation>
    <numerusform>1 eingebautes Werkzeug</numerusform>
    <numerusform>{count:,} eingebaute Werkzeuge</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/welcome/view.py" />
   <source>{count:,} calls so far.</source>
   <translation>
    <numerusform>Bisher 1 Aufruf.</numerusform>
    <numerusform>Bisher {count:,} Aufrufe.</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/welcome/view.py" />
   <source>{head} and {last}.</source>
   <translation>{head} und {last}.</translation>
  </message>
  <message>
   <location filename="../../console/widgets/buttons.py" />
   <source>Shortcut {keys}</source>
   <translation>Tastenkürzel {keys}</translation>
  </message>
  <message>
   <location filename="../../console/widgets/dialogs.py" />
   <source>Time left</source>
   <translation>Verbleibende Zeit</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/widgets/formats.py" />
   <source>{count} days ago</source>
   <translation>
    <numerusform>gestern</numerusform>
    <numerusform>vor {count} Tagen</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/widgets/formats.py" />
   <source>{long} waiting for you</source>
   <translation>{long} Warten auf Sie</translation>
  </message>
  <message>
   <location filename="../../console/widgets/formats.py" />
   <source>{own}, and {review}</source>
   <translation>{own}, und {review}</translation>
  </message>
  <message>
   <location filename="../../console/widgets/status.py" />
   <source>Expired</source>
   <translation>Abgelaufen</translation>
  </message>
  <message>
   <location filename="../../console/widgets/status.py" />
   <source>High risk</source>
   <translation>Hohes Risiko</translation>
  </message>
  <message>
   <location filename="../../console/widgets/status.py" />
   <source>Low risk</source>
   <translation>Geringes Risiko</translation>
  </message>
  <message>
   <location filename="../../console/widgets/status.py" />
   <source>Medium risk</source>
   <translation>Mittleres Risiko</translation>
  </message>
  <message>
   <location filename="../../console/widgets/status.py" />
   <source>Unknown</source>
   <translation>Unbekannt</translation>
  </message>
  <message>
   <location filename="../../console/widgets/status.py" />
   <source>Unknown risk</source>
   <translation>Unbekanntes Risiko</translation>
  </message>
  <message>
   <location filename="../../console/widgets/status.py" />
   <source>Waiting for approval</source>
   <translation>Wartet auf Freigabe</translation>
  </message>
  <message>
   <location filename="../../console/widgets/table_model.py" />
   <source>sorted, largest first</source>
   <translation>sortiert, größte zuerst</translation>
  </message>
  <message>
   <location filename="../../console/widgets/table_model.py" />
   <source>sorted, smallest first</source>
   <translation>sortiert, kleinste zuerst</translation>
  </message>
  <message>
   <location filename="../../console/widgets/tabs.py" />
   <source>Open tools</source>
   <translation>Offene Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/window/documents.py" />
   <source>Open a tool</source>
   <translation>Werkzeug öffnen</translation>
  </message>
  <message>
   <location filename="../../console/window/main_window.py" />
   <source>Theme: {name}</source>
   <translation>Farbschema: {name}</translation>
  </message>
  <message>
   <location filename="../../console/window/main_window.py" />
   <source>{text}, {count} waiting</source>
   <translation>{text}, {count} wartend</translation>
  </message>
  <message>
   <location filename="../../console/window/notifications.py" />
   <source>Server {name} failed</source>
   <translation>Server {name} ist ausgefallen</translation>
  </message>
  <message>
   <location filename="../../console/window/notifications.py" />
   <source>Server {name} has no trouble any more</source>
   <translation>Server {name} hat keine Störung mehr</translation>
  </message>
  <message>
   <location filename="../../console/window/notifications.py" />
   <source>by {name}</source>
   <translation>von {name}</translation>
  </message>
  <message>
   <location filename="../../console/window/notifications.py" />
   <source>{name} was allowed</source>
   <translation>{name} wurde erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/window/notifications.py" />
   <source>{name} was allowed with an edit</source>
   <translation>{name} wurde mit einer Änderung erlaubt</translation>
  </message>
  <message>
   <location filename="../../console/window/notifications.py" />
   <source>{name} was denied</source>
   <translation>{name} wurde abgelehnt</translation>
  </message>
  <message>
   <location filename="../../console/window/notifications.py" />
   <source>{name}: nobody answered in time</source>
   <translation>{name}: Niemand hat rechtzeitig geantwortet</translation>
  </message>
  <message>
   <location filename="../../console/window/project.py" />
   <source>Choose the project folder</source>
   <translation>Projektordner wählen</translation>
  </message>
  <message>
   <location filename="../../console/window/project.py" />
   <source>The folder {folder} is gone</source>
   <translation>Den Ordner {folder} gibt es nicht mehr</translation>
  </message>
  <message>
   <location filename="../../console/window/project.py" />
   <source>The sample project cannot be made: {error}</source>
   <translation>Das Beispielprojekt kann nicht angelegt werden: {error}</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Agents paused</source>
   <translation>Agenten pausiert</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Audit log not written</source>
   <translation>Prüfprotokoll nicht geschrieben</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Audit log on</source>
   <translation>Prüfprotokoll an</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Autonomy. {detail}</source>
   <translation>Autonomie. {detail}</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Autonomy: {title}</source>
   <translation>Autonomie: {title}</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Every call is written into a log that shows whether somebody changed it</source>
   <translation>Jeder Aufruf kommt in ein Protokoll, das zeigt, ob es jemand geändert hat</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Gateway on {address}</source>
   <translation>Gateway auf {address}</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Python {version}</source>
   <translation>Python {version}</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Rules cannot be read</source>
   <translation>Regeln sind nicht lesbar</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Running {count}</source>
   <translation>Laufend {count}</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>Undo: {text}</source>
   <translation>Rückgängig: {text}</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>at least 95% of their runs succeed in time</source>
   <translation>mindestens 95 % ihrer Läufe gelingen rechtzeitig</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>less than 80% of their runs succeed</source>
   <translation>weniger als 80 % ihrer Läufe gelingen</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>they fail or take too long too often</source>
   <translation>sie schlagen zu oft fehl oder dauern zu lange</translation>
  </message>
  <message>
   <location filename="../../console/window/status_bar.py" />
   <source>{count:,} of the tools that ran lately: {health}</source>
   <translation>{count:,} der zuletzt gelaufenen Werkzeuge: {health}</translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/window/status_bar.py" />
   <source>{count} plugins did not load</source>
   <translation>
    <numerusform>1 Plugin wurde nicht geladen</numerusform>
    <numerusform>{count} Plugins wurden nicht geladen</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <location filename="../../console/window/status_bar.py" />
   <source>{count} waiting for approval</source>
   <translation>
    <numerusform>1 wartet auf Freigabe</numerusform>
    <numerusform>{count} warten auf Freigabe</numerusform>
   </translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>; new</source>
   <translation>; neu</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Activity panel</source>
   <translation>Leiste der Aktivität</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Allow calls from notices</source>
   <translation>Aufrufe aus Benachrichtigungen erlauben</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Branch</source>
   <translation>Branch</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>No project</source>
   <translation>Kein Projekt</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Nothing happened yet</source>
   <translation>Noch ist nichts geschehen</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Open a project folder</source>
   <translation>Projektordner öffnen</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Remove {name} (missing)</source>
   <translation>{name} entfernen (fehlt)</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Search tools, commands, calls and settings</source>
   <translation>Werkzeuge, Befehle, Aufrufe und Einstellungen suchen</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Sound with notices</source>
   <translation>Ton bei Benachrichtigungen</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Tools panel</source>
   <translation>Leiste der Werkzeuge</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>Top bar</source>
   <translation>Obere Leiste</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>What happened</source>
   <translation>Was geschah</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>What happened, {count} new</source>
   <translation>Was geschah, {count} neu</translation>
  </message>
  <message>
   <location filename="../../console/window/top_bar.py" />
   <source>{name}; do not disturb</source>
   <translation>{name}; nicht stören</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Archives</source>
   <translation>Archive</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Build</source>
   <translation>Erstellen</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Calendar</source>
   <translation>Kalender</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Charts</source>
   <translation>Diagramme</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Crypto</source>
   <translation>Verschlüsselung</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Data</source>
   <translation>Daten</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Discovery</source>
   <translation>Finden</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Documents</source>
   <translation>Dokumente</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Editing</source>
   <translation>Bearbeiten</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Files</source>
   <translation>Dateien</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Finance</source>
   <translation>Finanzen</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Git</source>
   <translation>Git</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Images</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Knowledge</source>
   <translation>Wissen</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Lookups</source>
   <translation>Nachschlagen</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Math</source>
   <translation>Mathematik</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Media</source>
   <translation>Medien</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Messaging</source>
   <translation>Nachrichten</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Packages</source>
   <translation>Pakete</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Ports</source>
   <translation>Anschlüsse</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Search</source>
   <translation>Suche</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>System</source>
   <translation>System</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Utility</source>
   <translation>Hilfsmittel</translation>
  </message>
  <message>
   <location filename="../../tools.catalog" />
   <source>Web</source>
   <translation>Web</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>An error or a log line tells a secret: {detail}</source>
   <translation>Ein Fehler oder eine Protokollzeile verrät ein Geheimnis: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>An example of the tool does not work: {detail}</source>
   <translation>Ein Beispiel des Werkzeugs funktioniert nicht: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Arguments are accepted that the schema forbids: {detail}</source>
   <translation>Argumente werden angenommen, die das Schema verbietet: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Bound the work, or give the tool a time limit that it keeps by itself.</source>
   <translation>Begrenzen Sie die Arbeit, oder geben Sie dem Werkzeug ein Zeitlimit, das es selbst einhält.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Check the argument, or catch the error and raise ToolFailure that says what was expected and what came.</source>
   <translation>Prüfen Sie das Argument, oder fangen Sie den Fehler ab und lösen Sie ToolFailure aus, mit dem, was erwartet wurde und was kam.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Correct its input: a model copies what it sees.</source>
   <translation>Berichtigen Sie seine Eingabe: Ein Modell übernimmt, was es sieht.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Leave the secret out of the message; name an argument in mask_fields so that it is hidden everywhere.</source>
   <translation>Lassen Sie das Geheimnis aus der Meldung weg; nennen Sie ein Argument in mask_fields, damit es überall verborgen wird.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Let a validator raise ValueError with what was expected and what came.</source>
   <translation>Lassen Sie einen Validator ValueError auslösen, mit dem, was erwartet wurde und was kam.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Let the check of the arguments refuse what the schema forbids.</source>
   <translation>Lassen Sie die Prüfung der Argumente verweigern, was das Schema verbietet.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Raise ToolFailure instead of leaving, and check the arguments before native code sees them.</source>
   <translation>Lösen Sie ToolFailure aus, statt das Programm zu beenden, und prüfen Sie die Argumente, bevor nativer Code sie sieht.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Return what the schema of the result says, or correct the annotation.</source>
   <translation>Geben Sie zurück, was das Schema des Ergebnisses sagt, oder berichtigen Sie die Annotation.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>Say read_only=False, or write nothing.</source>
   <translation>Geben Sie read_only=False an, oder schreiben Sie nichts.</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>The call does not end: {detail}</source>
   <translation>Der Aufruf endet nicht: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>The call ends the program that the tool runs in: {detail}</source>
   <translation>Der Aufruf beendet das Programm, in dem das Werkzeug läuft: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>The call raises an error that the tool does not turn into an answer: {detail}</source>
   <translation>Der Aufruf löst einen Fehler aus, aus dem das Werkzeug keine Antwort macht: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>The check of the arguments fails instead of refusing them: {detail}</source>
   <translation>Die Prüfung der Argumente schlägt fehl, statt sie zu verweigern: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>The result is not what the tool promises: {detail}</source>
   <translation>Das Ergebnis ist nicht, was das Werkzeug zusagt: {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.FAULT_TEXTS" />
   <source>The tool says that it only reads, and it changed {detail}</source>
   <translation>Das Werkzeug gibt an, nur zu lesen, und änderte {detail}</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>a check asks nobody, and its calls were refused</source>
   <translation>eine Prüfung fragt niemanden, und ihre Aufrufe wurden verweigert</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>call after call crashed or did not end</source>
   <translation>Aufruf um Aufruf stürzte ab oder endete nicht</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>it does not say that it only reads, so it runs in a scratch folder only</source>
   <translation>es gibt nicht an, nur zu lesen, und läuft deshalb nur in einem Wegwerfordner</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>it is disabled</source>
   <translation>es ist abgeschaltet</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>it may change something that no scratch folder holds</source>
   <translation>es kann etwas ändern, das kein Wegwerfordner enthält</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>it reaches beyond this computer, where generated arguments are sent on request only</source>
   <translation>es reicht über diesen Computer hinaus, wohin erzeugte Argumente nur auf Wunsch gesendet werden</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>it runs programs, which no scratch folder holds</source>
   <translation>es führt Programme aus, die kein Wegwerfordner eingrenzt</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>it was stopped</source>
   <translation>sie wurde angehalten</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>no arguments were found that fit its schema; give it an example</source>
   <translation>es fanden sich keine Argumente, die zu seinem Schema passen; geben Sie ihm ein Beispiel</translation>
  </message>
  <message>
   <location filename="../../tools.check.findings.SKIP_WORDS" />
   <source>the time was over</source>
   <translation>die Zeit war abgelaufen</translation>
  </message>
  <message>
   <location filename="../../tools.discovery.templates.TEMPLATE_WORDS" />
   <source>A coroutine with a context</source>
   <translation>Eine Koroutine mit Kontext</translation>
  </message>
  <message>
   <location filename="../../tools.discovery.templates.TEMPLATE_WORDS" />
   <source>A function</source>
   <translation>Eine Funktion</translation>
  </message>
  <message>
   <location filename="../../tools.discovery.templates.TEMPLATE_WORDS" />
   <source>A tool that waits, tells its progress and logs.</source>
   <translation>Ein Werkzeug, das wartet, seinen Fortschritt meldet und protokolliert.</translation>
  </message>
  <message>
   <location filename="../../tools.discovery.templates.TEMPLATE_WORDS" />
   <source>A toolkit class</source>
   <translation>Eine Toolkit-Klasse</translation>
  </message>
  <message>
   <location filename="../../tools.discovery.templates.TEMPLATE_WORDS" />
   <source>One tool that takes arguments and returns a result.</source>
   <translation>Ein Werkzeug, das Argumente nimmt und ein Ergebnis liefert.</translation>
  </message>
  <message>
   <location filename="../../tools.discovery.templates.TEMPLATE_WORDS" />
   <source>Several tools that share a state or a connection.</source>
   <translation>Mehrere Werkzeuge, die einen Zustand oder eine Verbindung teilen.</translation>
  </message>
  <message>
   <location filename="../../tools.execution.questions.WHY" />
   <source>The plan says that one answer counts for all of it.</source>
   <translation>Der Plan sagt, dass eine Antwort für alle seine Aufrufe gilt.</translation>
  </message>
  <message>
   <location filename="../../tools.extras.NOT_IN_A_BUILD" />
   <source>this build of Tool Console cannot install libraries; run Tool Console from a Python environment that has them</source>
   <translation>dieser Build der Tool Console kann keine Bibliotheken installieren; starten Sie Tool Console aus einer Python-Umgebung, die sie hat</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Quit Claude Desktop and start it again.</source>
   <translation>Beenden Sie Claude Desktop und starten Sie es neu.</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Refresh the MCP servers in the Cascade panel of Windsurf.</source>
   <translation>Aktualisieren Sie die MCP-Server in der Cascade-Leiste von Windsurf.</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Start a new session of Claude Code, or reconnect under /mcp in one that runs.</source>
   <translation>Beginnen Sie eine neue Sitzung von Claude Code, oder verbinden Sie in einer laufenden unter /mcp neu.</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Start a new session of Codex.</source>
   <translation>Beginnen Sie eine neue Sitzung von Codex.</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Start a new session of the agent, and allow the server where it asks.</source>
   <translation>Beginnen Sie eine neue Sitzung des Agenten, und erlauben Sie den Server, wenn er fragt.</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Start tool-console with the command “MCP: List Servers” of VS Code.</source>
   <translation>Starten Sie tool-console mit dem Befehl „MCP: List Servers“ von VS Code.</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Switch tool-console on in the MCP settings of Cursor.</source>
   <translation>Schalten Sie tool-console in den MCP-Einstellungen von Cursor ein.</translation>
  </message>
  <message>
   <location filename="../../tools.gateway.client_configs.NEXT_STEPS" />
   <source>Zed reads its settings at once; look whether tool-console is on in the settings of its agent panel.</source>
   <translation>Zed liest seine Einstellungen sofort; sehen Sie in den Einstellungen der Agentenleiste nach, ob tool-console an ist.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Begin with what it does: 'Count the words of a text'.</source>
   <translation>Beginnen Sie damit, was es tut: „Zählt die Wörter eines Textes“.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Give two: the usual call and one at the edge. A tool whose arguments explain themselves needs none.</source>
   <translation>Geben Sie zwei an: den üblichen Aufruf und einen Grenzfall. Ein Werkzeug, dessen Argumente sich selbst erklären, braucht keine.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>It has no description, so a model has nothing but its name to go by.</source>
   <translation>Es hat keine Beschreibung; ein Modell kann sich nur nach dem Namen richten.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>It has {detail} examples, and each is sent with every request.</source>
   <translation>Es hat {detail} Beispiele, und jedes wird mit jeder Anfrage gesendet.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>It takes several arguments and has {detail}.</source>
   <translation>Es nimmt mehrere Argumente und hat {detail}.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Its description begins with {detail}, which tells nothing.</source>
   <translation>Seine Beschreibung beginnt mit {detail}; das sagt nichts.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Its description {detail} says less than its name.</source>
   <translation>Seine Beschreibung {detail} sagt weniger als sein Name.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Its name differs from {detail} in case and separators only.</source>
   <translation>Sein Name unterscheidet sich von {detail} nur in Groß- und Kleinschreibung und Trennzeichen.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Its name is too long for model providers; a model is shown {detail}.</source>
   <translation>Sein Name ist zu lang für Anbieter von Modellen; ein Modell sieht {detail}.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Keep two or three: the usual call and one at the edge.</source>
   <translation>Behalten Sie zwei oder drei: den üblichen Aufruf und einen Grenzfall.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Leave it out; keep such examples for calls that fit the schema and still go wrong.</source>
   <translation>Lassen Sie es weg; solche Beispiele sind für Aufrufe, die zum Schema passen und doch misslingen.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Name the rule that it breaks in why_bad.</source>
   <translation>Nennen Sie in why_bad die Regel, die es verletzt.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Rename one of the two: a model takes them for each other.</source>
   <translation>Benennen Sie eines der beiden um: Ein Modell verwechselt sie.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Say what it means, in which unit and form: Param('…') or a line under Args.</source>
   <translation>Sagen Sie, was er bedeutet, in welcher Einheit und Form: Param('…') oder eine Zeile unter Args.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Set negative=True, or remove why_bad.</source>
   <translation>Setzen Sie negative=True, oder entfernen Sie why_bad.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Shorten the name of the tool, or of the server before it.</source>
   <translation>Kürzen Sie den Namen des Werkzeugs oder des Servers davor.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>The example does not fit the arguments: {detail}.</source>
   <translation>Das Beispiel passt nicht zu den Argumenten: {detail}.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>The example has a reason why it is bad, but is shown as a good one.</source>
   <translation>Das Beispiel hat einen Grund, warum es schlecht ist, gilt aber als gutes.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>The example has {detail}, which nobody would send.</source>
   <translation>Das Beispiel hat {detail}; das würde niemand senden.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>The example shows what not to do, but not why.</source>
   <translation>Das Beispiel zeigt, was man nicht tun soll, aber nicht warum.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>The example warns of something obvious: {detail}.</source>
   <translation>Das Beispiel warnt vor Offensichtlichem: {detail}.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>The parameter {detail} has no description.</source>
   <translation>Der Parameter {detail} hat keine Beschreibung.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Use a value as it occurs at work: a model imitates it.</source>
   <translation>Nehmen Sie einen Wert aus dem Alltag: Ein Modell ahmt ihn nach.</translation>
  </message>
  <message>
   <location filename="../../tools.lint.findings.FINDING_WORDS" />
   <source>Write a sentence that says what it does, and when to use it.</source>
   <translation>Schreiben Sie einen Satz, der sagt, was es tut und wann man es benutzt.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Ask for less at a time, then restart it.</source>
   <translation>Fragen Sie weniger auf einmal ab, und starten Sie ihn dann neu.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Correct its entry.</source>
   <translation>Berichtigen Sie seinen Eintrag.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Correct the command and the folder it starts in.</source>
   <translation>Berichtigen Sie den Befehl und den Ordner, in dem er startet.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Install the program, or correct the command.</source>
   <translation>Installieren Sie das Programm, oder berichtigen Sie den Befehl.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Look at what would be started, and let it start.</source>
   <translation>Sehen Sie an, was gestartet würde, und lassen Sie es starten.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Look whether the command is that of an MCP server: its output must be messages alone.</source>
   <translation>Sehen Sie nach, ob der Befehl der eines MCP-Servers ist: Seine Ausgabe muss allein aus Nachrichten bestehen.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Look whether the server runs and the address is right, then restart it.</source>
   <translation>Sehen Sie nach, ob der Server läuft und die Adresse stimmt, und starten Sie ihn dann neu.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Read its log for the reason, then restart it.</source>
   <translation>Lesen Sie den Grund in seinem Protokoll, und starten Sie ihn dann neu.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Read its log; a first start may need a longer time limit while it is being downloaded.</source>
   <translation>Lesen Sie sein Protokoll; ein erster Start braucht vielleicht ein längeres Zeitlimit, während er heruntergeladen wird.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Sign in, or correct the headers of this server.</source>
   <translation>Melden Sie sich an, oder berichtigen Sie die Header dieses Servers.</translation>
  </message>
  <message>
   <location filename="../../tools.mcp.state.REMEDY_BY_FAULT" />
   <source>Try the other era of the protocol in its settings, or tell those who make the server.</source>
   <translation>Versuchen Sie in seinen Einstellungen die andere Ära des Protokolls, oder sagen Sie es den Herstellern des Servers.</translation>
  </message>
  <message>
   <location filename="../../tools.policy.AUTONOMY_WORDS" />
   <source>Cautious: all that does more than read, build or test is asked about</source>
   <translation>Vorsichtig: Bei allem, was mehr tut als lesen, bauen oder testen, wird nachgefragt</translation>
  </message>
  <message>
   <location filename="../../tools.policy.AUTONOMY_WORDS" />
   <source>Full auto: nothing is asked about by its risk</source>
   <translation>Vollautomatisch: Wegen des Risikos wird nie nachgefragt</translation>
  </message>
  <message>
   <location filename="../../tools.policy.AUTONOMY_WORDS" />
   <source>Manual: every call is asked about</source>
   <translation>Manuell: Bei jedem Aufruf wird nachgefragt</translation>
  </message>
  <message>
   <location filename="../../tools.policy.AUTONOMY_WORDS" />
   <source>Supervised: what may destroy something or cannot be judged is asked about</source>
   <translation>Beaufsichtigt: Bei allem, was etwas zerstören kann oder nicht zu beurteilen ist, wird nachgefragt</translation>
  </message>
  <message>
   <location filename="../../tools.policy.RISK_WORDS" />
   <source>builds or tests</source>
   <translation>baut oder testet</translation>
  </message>
  <message>
   <location filename="../../tools.policy.RISK_WORDS" />
   <source>has an unknown risk</source>
   <translation>hat ein unbekanntes Risiko</translation>
  </message>
  <message>
   <location filename="../../tools.policy.RISK_WORDS" />
   <source>may destroy something</source>
   <translation>kann etwas zerstören</translation>
  </message>
  <message>
   <location filename="../../tools.policy.RISK_WORDS" />
   <source>uses the network</source>
   <translation>benutzt das Netz</translation>
  </message>
  <message>
   <location filename="../../tools.policy.RISK_WORDS" />
   <source>wants more rights</source>
   <translation>will mehr Rechte</translation>
  </message>
  <message>
   <location filename="../../tools.policy.RISK_WORDS" />
   <source>writes</source>
   <translation>schreibt</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_PARTS" />
   <source>changes nothing</source>
   <translation>ändert nichts</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_PARTS" />
   <source>may change or destroy something</source>
   <translation>kann etwas ändern oder zerstören</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_PARTS" />
   <source>may change something</source>
   <translation>kann etwas ändern</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_PARTS" />
   <source>reaches beyond this computer</source>
   <translation>reicht über diesen Rechner hinaus</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_PARTS" />
   <source>stays on this computer</source>
   <translation>bleibt auf diesem Rechner</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_SENTENCES" />
   <source>says nothing of its risk</source>
   <translation>sagt nichts über sein Risiko</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_SENTENCES" />
   <source>says nothing of its risk; taken as one that {taken}</source>
   <translation>sagt nichts über sein Risiko, gilt daher als: {taken}</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_SENTENCES" />
   <source>says that it {said}</source>
   <translation>sagt: es {said}</translation>
  </message>
  <message>
   <location filename="../../tools.policy.wording.HINT_SENTENCES" />
   <source>says that it {said}; of the rest nothing, taken as one that {taken}</source>
   <translation>sagt: es {said}; vom Übrigen nichts, gilt daher als: {taken}</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.BY_KIND" />
   <source>Enable it first.</source>
   <translation>Schalten Sie es zuerst ein.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.BY_KIND" />
   <source>List the tools to see their names.</source>
   <translation>Listen Sie die Werkzeuge auf, um ihre Namen zu sehen.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.BY_KIND" />
   <source>Only this call is lost: everything else goes on, and the next call gets a new worker process.</source>
   <translation>Nur dieser Aufruf ist verloren: Alles andere läuft weiter, und der nächste Aufruf bekommt einen neuen Arbeitsprozess.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.BY_KIND" />
   <source>Open a folder or the sample project, then run it again.</source>
   <translation>Öffnen Sie einen Ordner oder das Beispielprojekt und führen Sie es erneut aus.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.BY_KIND" />
   <source>Run it with less to do, or raise its time limit.</source>
   <translation>Geben Sie ihm weniger zu tun oder erhöhen Sie sein Zeitlimit.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.BY_KIND" />
   <source>Wait until the next call is admitted, then run it again.</source>
   <translation>Warten Sie, bis der nächste Aufruf zugelassen wird, und führen Sie es erneut aus.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Ask whoever declared the tool to add this caller to those that are allowed.</source>
   <translation>Bitten Sie, wer das Werkzeug deklariert hat, diesen Aufrufer zu den erlaubten hinzuzufügen.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Change the arguments so that the condition holds, then run it again.</source>
   <translation>Ändern Sie die Argumente so, dass die Bedingung gilt, und führen Sie es erneut aus.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Check the arguments, then run it again.</source>
   <translation>Prüfen Sie die Argumente und führen Sie es erneut aus.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Correct how the tool is declared or set up, then reload it.</source>
   <translation>Berichtigen Sie, wie das Werkzeug deklariert oder eingerichtet ist, und laden Sie es neu.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Do what the reason asks for, then run it again.</source>
   <translation>Tun Sie, was der Grund verlangt, und führen Sie es erneut aus.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Let the run go on for more turns, or give it less to do.</source>
   <translation>Lassen Sie den Lauf mehr Runden machen oder geben Sie ihm weniger zu tun.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Run it again and allow it, or change the arguments so that nobody need be asked.</source>
   <translation>Führen Sie es erneut aus und erlauben Sie es, oder ändern Sie die Argumente so, dass niemand gefragt werden muss.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Run it again when you want the whole result.</source>
   <translation>Führen Sie es erneut aus, wenn Sie das ganze Ergebnis möchten.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Run it again.</source>
   <translation>Führen Sie es erneut aus.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.FOR_PERSON" />
   <source>Wait until the tool is started again, or reset what holds it back.</source>
   <translation>Warten Sie, bis das Werkzeug wieder gestartet wird, oder setzen Sie zurück, was es aufhält.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.WITH_LOG" />
   <source>Check the arguments, and read the log for what led to it.</source>
   <translation>Prüfen Sie die Argumente und lesen Sie im Protokoll, was dazu führte.</translation>
  </message>
  <message>
   <location filename="../../tools.remedies.WITH_TRACEBACK" />
   <source>The traceback says where the tool's code failed. Correct the code, or change the arguments.</source>
   <translation>Der Traceback sagt, wo der Code des Werkzeugs scheiterte. Korrigieren Sie den Code, oder ändern Sie die Argumente.</translation>
  </message>
  <message>
   <location filename="../../tools.spec" />
   <source>General</source>
   <translation>Allgemein</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Audit</source>
   <translation>Prüfprotokoll</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Backoff</source>
   <translation>Wartezeit</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Bulkhead</source>
   <translation>Parallelgrenze</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Cache lookup</source>
   <translation>Suche im Cache</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Cache store</source>
   <translation>Ablage im Cache</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Call filter</source>
   <translation>Aufruffilter</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Circuit breaker</source>
   <translation>Schutzschalter</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Execute</source>
   <translation>Ausführen</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Failure block</source>
   <translation>Fehlersperre</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Listeners</source>
   <translation>Zuhörer</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Metrics</source>
   <translation>Messwerte</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Policy</source>
   <translation>Richtlinie</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Postconditions</source>
   <translation>Nachbedingungen</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Preconditions</source>
   <translation>Vorbedingungen</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Rate limit</source>
   <translation>Ratengrenze</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Result check</source>
   <translation>Ergebnisprüfung</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Review ahead</source>
   <translation>Vorab-Freigabe</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Security check</source>
   <translation>Sicherheitsprüfung</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Step of the program</source>
   <translation>Schritt des Programms</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.TITLE_BY_KIND" />
   <source>Validate arguments</source>
   <translation>Argumente prüfen</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>allowed</source>
   <translation>erlaubt</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>approved</source>
   <translation>freigegeben</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>caller refused</source>
   <translation>Aufrufer verweigert</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>closed</source>
   <translation>geschlossen</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>does not hold</source>
   <translation>gilt nicht</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>full</source>
   <translation>voll</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>guided</source>
   <translation>gelenkt</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>half open</source>
   <translation>halb offen</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>hit</source>
   <translation>Treffer</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>miss</source>
   <translation>kein Treffer</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>no permit</source>
   <translation>keine Zulassung</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>no time left</source>
   <translation>keine Zeit mehr</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>nobody knows the caller's roles</source>
   <translation>Rollen des Aufrufers unbekannt</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>not kept</source>
   <translation>nicht aufbewahrt</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>open</source>
   <translation>offen</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>redacted</source>
   <translation>geschwärzt</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>refreshed</source>
   <translation>erneuert</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>revised</source>
   <translation>geändert</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>trial call</source>
   <translation>Probeaufruf</translation>
  </message>
  <message>
   <location filename="../../tools.trace_words.WORD_BY_NOTE" />
   <source>withheld</source>
   <translation>zurückgehalten</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>allow any of its values everywhere</source>
   <translation>jeden seiner Werte überall erlauben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>allow no other properties</source>
   <translation>keine anderen Eigenschaften erlauben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>allow text, numbers and true or false</source>
   <translation>Text, Zahlen sowie wahr oder falsch erlauben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>change the tool itself; no rewrite keeps what it means</source>
   <translation>das Werkzeug selbst ändern; kein Umschreiben erhält die Bedeutung</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>end it here, as it goes on for ever or too deep</source>
   <translation>hier beenden, da es endlos oder zu tief weitergeht</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>have the object written as JSON text</source>
   <translation>das Objekt als JSON-Text schreiben lassen</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>join its members into one schema</source>
   <translation>seine Teile zu einem Schema verbinden</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>leave it out; the tool checks it anyway</source>
   <translation>weglassen; das Werkzeug prüft es ohnehin</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>move what stands beside it into its members</source>
   <translation>was daneben steht, in seine Teile verschieben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>put it into the description</source>
   <translation>in die Beschreibung aufnehmen</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>require it, and allow null</source>
   <translation>verlangen und null erlauben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>require the first argument, which a model gives its usual value then</source>
   <translation>das erste Argument verlangen; ein Modell gibt ihm dann den üblichen Wert</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>say it in the description</source>
   <translation>in der Beschreibung angeben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>say nullable instead of null, or leave the argument out</source>
   <translation>nullable statt null angeben oder das Argument weglassen</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>say the type</source>
   <translation>den Typ angeben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>say what the array holds</source>
   <translation>angeben, was das Array enthält</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>write it as anyOf</source>
   <translation>als anyOf schreiben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>write it in allowed letters</source>
   <translation>mit erlaubten Zeichen schreiben</translation>
  </message>
  <message>
   <location filename="../../tools.wire.words.FIX_WORDS" />
   <source>write what it leads to in its place</source>
   <translation>das Ziel an seine Stelle schreiben</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/_database.py" />
   <source>Private address</source>
   <translation>Private Adresse</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/_database.py" />
   <source>Sends a password</source>
   <translation>Sendet ein Passwort</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/_forges.py" />
   <source>Sends data</source>
   <translation>Sendet Daten</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/charts.py" />
   <source>Writes a file</source>
   <translation>Schreibt eine Datei</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/data_documents.py" />
   <source>Changes a file</source>
   <translation>Ändert eine Datei</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/databases_change.py" />
   <source>May change a database</source>
   <translation>Kann eine Datenbank ändern</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/databases_change.py" />
   <source>Tries a change and rolls it back</source>
   <translation>Versucht eine Änderung und macht sie rückgängig</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/files_write.py" />
   <source>A whole folder</source>
   <translation>Ein ganzer Ordner</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/files_write.py" />
   <source>Deletes a file</source>
   <translation>Löscht eine Datei</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/files_write.py" />
   <source>Deletes a folder</source>
   <translation>Löscht einen Ordner</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/files_write.py" />
   <source>Deletes a link</source>
   <translation>Löscht eine Verknüpfung</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/files_write.py" />
   <source>Deletes an empty folder</source>
   <translation>Löscht einen leeren Ordner</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/files_write.py" />
   <source>Replaces a file</source>
   <translation>Ersetzt eine Datei</translation>
  </message>
  <message>
   <location filename="../../tools/catalog/system.py" />
   <source>Runs a command</source>
   <translation>Führt einen Befehl aus</translation>
  </message>
  <message>
   <location filename="../../tools/execution/security.py" />
   <source>Always asks</source>
   <translation>Fragt immer</translation>
  </message>
  <message>
   <location filename="../../tools/execution/security.py" />
   <source>Says nothing of its risk</source>
   <translation>Sagt nichts über sein Risiko</translation>
  </message>
  <message>
   <location filename="../../tools/execution/security.py" />
   <source>The policy asks</source>
   <translation>Die Richtlinie fragt</translation>
  </message>
  <message>
   <location filename="../../tools/execution/security.py" />
   <source>The tool asks a person before each call.</source>
   <translation>Das Werkzeug fragt vor jedem Aufruf einen Menschen.</translation>
  </message>
  <message>
   <location filename="../../tools/execution/security.py" />
   <source>The tool says that it may delete or overwrite something.</source>
   <translation>Das Werkzeug sagt, dass es etwas löschen oder überschreiben kann.</translation>
  </message>
  <message>
   <location filename="../../tools/models/server_calls.py" />
   <source>Runs at the provider</source>
   <translation>Läuft beim Anbieter</translation>
  </message>
  <message>
   <location filename="../../tools/models/side_by_side.py" />
   <source>Done already by the other model</source>
   <translation>Vom anderen Modell schon erledigt</translation>
  </message>
  <message>
   <location filename="../../tools/models/side_by_side.py" />
   <source>Run already by the other model</source>
   <translation>Vom anderen Modell schon ausgeführt</translation>
  </message>
  <message>
   <location filename="../../tools/paths.py" />
   <source>Outside the project folder</source>
   <translation>Außerhalb des Projektordners</translation>
  </message>
  <message>
   <location filename="../../tools/policy/protection.py" />
   <source>May change what decides</source>
   <translation>Kann ändern, was entscheidet</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>It changes nothing itself; its steps are judged one by one.</source>
   <translation>Es ändert selbst nichts; seine Schritte werden einzeln beurteilt.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>It changes what is there already; nothing is replaced or deleted.</source>
   <translation>Es ändert Vorhandenes; nichts wird ersetzt oder gelöscht.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>It makes something new; nothing that is there is changed, replaced or deleted.</source>
   <translation>Es legt etwas Neues an; nichts Vorhandenes wird geändert, ersetzt oder gelöscht.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>The tool changes something, and reaches beyond this computer.</source>
   <translation>Das Werkzeug ändert etwas und reicht über diesen Computer hinaus.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>The tool does not say whether it changes something.</source>
   <translation>Das Werkzeug sagt nicht, ob es etwas ändert.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>The tool only reads, but reaches beyond this computer.</source>
   <translation>Das Werkzeug liest nur, reicht aber über diesen Computer hinaus.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>The tool says that it changes nothing.</source>
   <translation>Das Werkzeug sagt, dass es nichts ändert.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>The tool says that it changes something, but destroys nothing.</source>
   <translation>Das Werkzeug sagt, dass es etwas ändert, aber nichts zerstört.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>The tool says that it changes something.</source>
   <translation>Das Werkzeug sagt, dass es etwas ändert.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/risk.py" />
   <source>With these arguments it only reads.</source>
   <translation>Mit diesen Argumenten liest es nur.</translation>
  </message>
  <message>
   <location filename="../../tools/policy/shell.py" />
   <source>It runs nothing.</source>
   <translation>Es führt nichts aus.</translation>
  </message>
 </context>
</TS>
